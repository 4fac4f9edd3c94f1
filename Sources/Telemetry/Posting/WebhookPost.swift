package import Core
internal import NIOPosix
package import Subprocess
internal import Workers

/// One attempt to send a webhook, as curl's configuration.
package struct WebhookPost {
  let address: String
  let route: WebhookRoute
  let headers: [(name: String, value: String)]
  let body: String

  package init(address: String, route: WebhookRoute, headers: [(name: String, value: String)], body: String) {
    (self.address, self.route, self.headers, self.body) = (address, route, headers, body)
  }

  /// Configuration for curl's standard input, which keeps all details out of the process list.
  var configuration: String {
    let lines = flags + options.map { name, value in "\(name) = \(Self.quoted(value))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Flags that turn off curl's patterns in addresses, path normalisation and progress output.
  private var flags: [String] { ["silent", "globoff", "path-as-is"] }

  /// Options of the request. Redirects aren't followed, and `data-raw` keeps a body from being read as a file name.
  private var options: [(name: String, value: String)] {
    var options = [
      ("url", address), ("proto", "=http,https"), ("connect-timeout", "5"), ("max-time", "15"),
      ("output", "/dev/null"), ("write-out", CurlReport.form), ("data-raw", body),
    ]
    options += headers.map { ("header", "\($0.name): \($0.value)") }
    return options + routing
  }

  /// Options of the route; `noproxy` overrides the environment's proxy settings.
  private var routing: [(name: String, value: String)] {
    switch route {
    case .open: [("noproxy", "*")]
    // Whatever host curl reads in the address: one that another reader didn't see could have others.
    case .pinned(let address): [("noproxy", "*"), ("connect-to", "::\(Self.bracketed(address)):")]
    case .proxy(let proxy): [("noproxy", ""), ("proxy", "http://\(Self.bracketed(proxy.host)):\(proxy.port)")]
    }
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// A quoted value on one line.
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

/// The network route of a webhook.
package enum WebhookRoute: Hashable {
  /// Direct route to any address, by the system's name resolution.
  case open
  /// Direct route to this address only, even if the name resolves to another one by then.
  case pinned(String)
  /// Route by the proxy for all outgoing requests, which decides on the permitted addresses.
  case proxy(ProxyAddress)

  /// Resolves the address, and rejects a name with any private address.
  package static func find(
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

/// The system's curl, which uses the TLS library and certificate authorities that the machine keeps up to date.
package struct Curl {
  private let program: Executable

  package init(_ program: Executable = .name("curl")) { self.program = program }

  /// Checks that curl is installed.
  package func check() async throws(Fault) {
    do {
      _ = try await program.resolveExecutablePath(in: .inherit)
    } catch {
      throw Self.missing
    }
  }

  /// Sends once; cancelling the task kills the process.
  package func send(_ post: WebhookPost) async throws(Fault) -> CurlReport {
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
      throw error as? Fault ?? .engine("curl-failed", "curl can't be run: \(error)")
    }
  }

  private static let missing = Fault.engine(
    "curl-missing", "webhooks require curl, which isn't on the PATH: install the package curl")

  /// Options for a process group of its own, so that a terminal's Ctrl-C reaches only the server, which then ends curl
  /// in order.
  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }
}

/// The outcome that curl reported of one attempt.
package struct CurlReport: Hashable {
  /// Format of curl's report at the end.
  static let form = "%{http_code} %{http_connect} %{errormsg}"

  private let exit: Int32
  /// The last HTTP status received, 0 for none.
  private let status: Int
  /// The proxy's status for the request of a tunnel, 0 for none.
  private let tunnel: Int
  private let detail: String

  /// Parses a report in that format.
  init(exit: Int32, output: String) {
    let parts = output.split(separator: " ", maxSplits: 2).map(String.init)
    self.exit = exit
    status = parts.first.flatMap { Int($0) } ?? 0
    tunnel = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    detail = parts.count > 2 ? parts[2] : ""
  }

  /// Description of the failure; nil for a status of success, even if the rest of the answer failed.
  package var problem: String? {
    switch status {
    case 200..<300: return nil
    // What is below is only the promise of an answer.
    case 300...: return "it responded with \(status)"
    default: break
    }
    if tunnel >= 300 { return "the proxy responded with \(tunnel)" }
    let words = Self.words[exit] ?? "curl failed with \(exit)"
    return detail.isEmpty ? words : "\(words): \(detail)"
  }

  /// Descriptions of curl's exit codes that a well-formed call can have.
  private static let words: [Int32: String] = [
    0: "the response has no status",
    1: "it doesn't speak HTTP",
    3: "its URL is malformed",
    5: "the proxy's name has no address",
    6: "its name has no address",
    7: "the connection was refused or failed",
    8: "it doesn't speak HTTP",
    16: "it doesn't speak HTTP",
    28: "it didn't respond in time",
    35: "the TLS handshake failed",
    51: "its certificate isn't trusted",
    52: "it closed the connection without a response",
    55: "the connection broke",
    56: "the connection broke",
    58: "the machine's own certificate is unusable",
    60: "its certificate isn't trusted",
    77: "the machine's CA certificates can't be read",
    92: "the connection broke",
    97: "the proxy refused",
  ]
}
