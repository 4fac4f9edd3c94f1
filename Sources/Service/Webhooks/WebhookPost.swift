internal import Core
internal import NIOPosix
internal import Subprocess
internal import Workers

/// One sending of a webhook, as curl is to do it.
struct WebhookPost {
  let address: String
  let route: WebhookRoute
  let headers: [(name: String, value: String)]
  let body: String

  /// What curl reads on its input: all there is to say, so that nothing of it can be seen in a list of processes.
  var configuration: String {
    let lines = flags + options.map { name, value in "\(name) = \(Self.quoted(value))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Brackets and braces mean themselves, and nothing but the report is written.
  private var flags: [String] { ["silent", "globoff", "path-as-is"] }

  /// Redirects aren't followed unless asked for, and a body by `data-raw` is never the name of a file.
  private var options: [(name: String, value: String)] {
    var options = [
      ("url", address), ("proto", "=http,https"), ("connect-timeout", "5"), ("max-time", "15"),
      ("output", "/dev/null"), ("write-out", CurlReport.form), ("data-raw", body),
    ]
    options += headers.map { ("header", "\($0.name): \($0.value)") }
    return options + routing
  }

  /// `noproxy` outdoes whatever the environment says of proxies.
  private var routing: [(name: String, value: String)] {
    switch route {
    case .open: [("noproxy", "*")]
    // Whatever host curl reads in the address: one that another reader didn't see could have others.
    case .pinned(let address): [("noproxy", "*"), ("connect-to", "::\(Self.bracketed(address)):")]
    case .proxy(let proxy): [("noproxy", ""), ("proxy", "http://\(Self.bracketed(proxy.host)):\(proxy.port)")]
    }
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// A value between quotes, on one line.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// The way that a webhook takes.
enum WebhookRoute: Hashable {
  /// As the machine finds it.
  case open
  /// To this very address, whatever the name's are by then.
  case pinned(String)
  /// By the proxy that everything leaves the machine by, which decides what may be reached.
  case proxy(ProxyAddress)

  /// Looks where the address leads, and refuses a name of which any address is private.
  static func find(
    to address: OutsideAddress, allowsPrivate: Bool, proxy: ProxyAddress?
  ) async throws(Fault) -> WebhookRoute {
    if let proxy { return .proxy(proxy) }
    if allowsPrivate { return .open }
    let host = address.host
    let found =
      (try? await NIOThreadPool.singleton.runIfActive { OutsideAddress.lookUp(host, numericOnly: false) }) ?? []
    guard let first = found.first else { throw .request("host-unknown", "\(host) has no address") }
    guard found.allSatisfy({ OutsideAddress.isPublic($0.bytes) }) else { throw OutsideAddress.refusal(host) }
    return .pinned(first.text)
  }
}

/// The system's curl: webhooks go by the TLS and the authorities that the machine keeps up to date.
struct Curl {
  private let program: Executable

  init(_ program: Executable = .name("curl")) { self.program = program }

  /// Fails where there is no curl.
  func check() async throws(Fault) {
    do {
      _ = try await program.resolveExecutablePath(in: .inherit)
    } catch {
      throw Self.missing
    }
  }

  /// Sends once; cancelling the task kills the process.
  func send(_ post: WebhookPost) async throws(Fault) -> CurlReport {
    BrokenPipes.survive()
    do {
      // Without the user's own configuration, which only the very first argument can say.
      let result = try await Subprocess.run(
        program, arguments: ["--disable", "--config", "-"], platformOptions: Self.options,
        input: .string(post.configuration), output: .string(limit: 1 << 16), error: .discarded)
      guard case .exited(let code) = result.terminationStatus else {
        throw Fault.engine("curl-failed", "curl was killed")
      }
      return CurlReport(exit: code, output: result.standardOutput)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw Self.missing
    } catch {
      throw error as? Fault ?? .engine("curl-failed", "curl couldn't be run: \(error)")
    }
  }

  private static let missing = Fault.engine(
    "curl-missing", "webhooks are sent by curl, which isn't on the PATH; the package is called curl")

  /// A process group of its own: a terminal's Ctrl-C is for the server, which then ends what it sends in order.
  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }
}

/// What curl told of one sending.
struct CurlReport: Hashable {
  /// What curl is asked to write when it is through.
  static let form = "%{http_code} %{http_connect} %{errormsg}"

  private let exit: Int32
  /// The last status that came, 0 for none.
  private let status: Int
  /// What a proxy said to being asked for a tunnel, 0 for nothing.
  private let tunnel: Int
  private let detail: String

  /// Reads what was written in the form asked for.
  init(exit: Int32, output: String) {
    let parts = output.split(separator: " ", maxSplits: 2).map(String.init)
    self.exit = exit
    status = parts.first.flatMap { Int($0) } ?? 0
    tunnel = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    detail = parts.count > 2 ? parts[2] : ""
  }

  /// Why the receiver didn't take it; nil when it did, whatever became of the rest of its answer.
  var problem: String? {
    switch status {
    case 200..<300: return nil
    // What is below is only the promise of an answer.
    case 300...: return "it answered \(status)"
    default: break
    }
    if tunnel >= 300 { return "the proxy answered \(tunnel)" }
    let words = Self.words[exit] ?? "curl failed with \(exit)"
    return detail.isEmpty ? words : "\(words): \(detail)"
  }

  /// curl's exit codes, as far as a call that is well-formed can have them.
  private static let words: [Int32: String] = [
    0: "it answered without a status",
    1: "it doesn't speak HTTP",
    3: "its address is malformed",
    5: "the proxy's name has no address",
    6: "its name has no address",
    7: "nobody could be connected to",
    8: "it doesn't speak HTTP",
    16: "it doesn't speak HTTP",
    28: "it didn't answer in time",
    35: "no TLS could be agreed on",
    51: "its certificate was refused",
    52: "it hung up without an answer",
    55: "the connection broke",
    56: "the connection broke",
    58: "the machine's own certificate is unusable",
    60: "its certificate was refused",
    77: "the machine's certificates of authorities can't be read",
    92: "the connection broke",
    97: "the proxy refused",
  ]
}
