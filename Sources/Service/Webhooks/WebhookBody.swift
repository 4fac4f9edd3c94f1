internal import Checks
internal import Comparison
internal import Core
internal import FoundationEssentials
internal import RenderModel
internal import Scheduling

/// Body of a webhook about a render that ended or was decided about: its state, without the result itself.
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
  /// The comparison with the baseline, and the decision about it.
  private struct Standing: Encodable {
    let comparison: String
    let state: String
    /// Files of the creative that differ from the baseline's, like `index.html (1 address)`; nil for none.
    let files: [String]?
    var action: String?
    var by: String?
    var comment: String?

    init(_ review: Review) {
      (comparison, state) = (review.comparison.rawValue, review.state.rawValue)
      files = review.facts.files?.map(\.text)
    }
  }

  private let id: String
  private let text: String

  /// The body for the end of a render; `base` is the server's public address, without which the render's address is
  /// relative.
  init(_ row: RenderRow, ending: RenderCompletion, base: PublicAddress?) {
    let review = ending.review
    self.init(
      "render.ended", row, ending.status, at: ending.finished, code: ending.fault?.code,
      verdict: RenderSummary.read(ending.summary)?.verdict?.status.rawValue,
      review.map(Standing.init),
      CommitStatus(row, ending.status, review, base), base)
  }

  /// The body for a decision, with the review after it.
  init(_ row: RenderRow, decision: Decision, review: Review, base: PublicAddress?) {
    var standing = Standing(review)
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

  /// The message for an address.
  func message(to address: String) -> RenderCompletion.Message {
    let host = URL(string: address)?.host(percentEncoded: false)?.lowercased()
    return RenderCompletion.Message(id: id, address: address, receiver: host ?? address, body: text)
  }
}

/// Signs webhooks as standardwebhooks.com specifies: an HMAC-SHA256 over id, time and body.
package struct WebhookSignature: Sendable {
  private let key: [UInt8]

  /// Parses a secret like `whsec_…`; nil if it is invalid or has fewer than 24 bytes.
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

  /// Creates a secret.
  package static func newSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return prefix + Data(bytes).base64EncodedString()
  }

  private static let prefix = "whsec_"
}

/// The file with the secret for signing webhooks.
struct WebhookSecret {
  let file: String

  /// Reads the secret, or creates one if there is no file.
  func signature() throws(Fault) -> WebhookSignature {
    if !FileManager.default.fileExists(atPath: file) {
      try DurableFile.write(Array((WebhookSignature.newSecret() + "\n").utf8), to: file)
    }
    guard let bytes = try? FileReading.regular(file, most: 1 << 16),
      let signature = WebhookSignature(secret: String(decoding: bytes, as: UTF8.self))
    else {
      throw .request("secret-invalid", "\(file) must contain a secret like whsec_… with at least 24 bytes in base64")
    }
    return signature
  }
}
