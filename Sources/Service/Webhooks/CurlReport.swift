internal import Core

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
