internal import Checks
internal import Comparison
internal import Core
internal import FoundationEssentials

/// What an address is told of a render that ended, or was decided about: where it stands, not what came of it.
struct WebhookBody {
  private struct Document: Encodable {
    let type: String
    let timestamp: String
    let data: Facts
  }
  private struct Facts: Encodable {
    let id: String
    let status: RenderStatus
    let name: String
    let code: String?
    let verdict: String?
    let labels: [String: String]?
    let review: Standing?
    let commitStatus: CommitStatus?
    let url: String
  }
  /// How it compares with its baseline, and what somebody said of that.
  private struct Standing: Encodable {
    let comparison: String
    let state: String
    var action: String?
    var by: String?
    var comment: String?
  }

  private let id: String
  private let text: String

  /// `base` is what others know the server by; without one the render's address is relative.
  init(_ row: RenderRow, ending: RenderCompletion, base: PublicAddress?) {
    let review = ending.review
    self.init(
      "render.ended", row, ending.status, at: ending.finished, code: ending.fault?.code,
      verdict: RenderSummary.read(ending.summary)?.verdict?.status.rawValue,
      review.map { Standing(comparison: $0.comparison.rawValue, state: $0.state.rawValue) },
      CommitStatus(row, ending.status, review, base), base)
  }

  /// Of a decision, and the review as it is since.
  init(_ row: RenderRow, decision: Decision, review: Review, base: PublicAddress?) {
    var standing = Standing(comparison: review.comparison.rawValue, state: review.state.rawValue)
    (standing.action, standing.by, standing.comment) = (decision.action.rawValue, decision.who, decision.comment)
    self.init(
      "review.decided", row, row.status, at: decision.timestamp, code: row.fault?.code,
      verdict: RenderSummary.read(row.summary)?.verdict?.status.rawValue, standing,
      CommitStatus(row, row.status, review, base), base)
  }

  private init(
    _ type: String, _ row: RenderRow, _ status: RenderStatus, at timestamp: Int64, code: String?, verdict: String?,
    _ standing: Standing?, _ commitStatus: CommitStatus?, _ base: PublicAddress?
  ) {
    id = "msg_" + RenderID.make(at: timestamp)
    let facts = Facts(
      id: row.id, status: status, name: row.name, code: code, verdict: verdict,
      labels: RenderRequest.read(row.request)?.labels, review: standing, commitStatus: commitStatus,
      url: "\(base?.text ?? "")/v1/renders/\(row.id)")
    let document = Document(type: type, timestamp: Instant.text(timestamp), data: facts)
    text = (try? JSONText.of(document)) ?? "{}"
  }

  /// What is sent to an address.
  func message(to address: String) -> RenderCompletion.Message {
    let host = URL(string: address)?.host(percentEncoded: false)?.lowercased()
    return RenderCompletion.Message(id: id, address: address, receiver: host ?? address, body: text)
  }
}

/// Signs what is sent, as standardwebhooks.com has it: an HMAC-SHA256 over id, instant and body.
package struct WebhookSignature: Sendable {
  private let key: [UInt8]

  /// Takes a secret like `whsec_…`; nil when it isn't one of at least 24 bytes.
  package init?(secret: String) {
    let text = secret.filter { !$0.isWhitespace }
    guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
      bytes.count >= 24
    else { return nil }
    key = Array(bytes)
  }

  /// The headers of a message; `timestamp` in seconds since 1970.
  package func headers(id: String, timestamp: Int64, body: String) -> [(String, String)] {
    let code = SHA256.of("\(id).\(timestamp).\(body)", key: key)
    return [
      ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
      ("webhook-signature", "v1,\(Data(code.bytes).base64EncodedString())"),
    ]
  }

  /// A new secret.
  package static func newSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return prefix + Data(bytes).base64EncodedString()
  }

  private static let prefix = "whsec_"
}

/// The file with the secret that webhooks are signed with.
struct WebhookSecret {
  let file: String

  /// Reads the secret, or makes one where there is none.
  func signature() throws(Fault) -> WebhookSignature {
    if !FileManager.default.fileExists(atPath: file) {
      try DurableFile.write(Array((WebhookSignature.newSecret() + "\n").utf8), to: file)
    }
    guard let bytes = try? FileReading.regular(file, most: 1 << 16),
      let signature = WebhookSignature(secret: String(decoding: bytes, as: UTF8.self))
    else { throw .request("secret-invalid", "\(file) must hold a secret like whsec_… of 24 bytes or more in base64") }
    return signature
  }
}
