/// One sending of a webhook, as curl is to do it.
struct HookPost {
  let address: String
  let route: HookRoute
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
