internal import Digests
internal import FoundationEssentials

/// Signs what is sent, as standardwebhooks.com has it: an HMAC-SHA256 over id, instant and body.
package struct HookSignature: Sendable {
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
