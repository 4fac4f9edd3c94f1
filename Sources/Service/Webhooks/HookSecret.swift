internal import Core
internal import FoundationEssentials
internal import Jobs
internal import ServiceStore

/// The file with the secret that webhooks are signed with.
struct HookSecret {
  let file: String

  /// Reads the secret, or makes one where there is none.
  func signature() throws(Fault) -> HookSignature {
    if !FileManager.default.fileExists(atPath: file) {
      try Durable.write(Array((HookSignature.newSecret() + "\n").utf8), to: file)
    }
    guard let bytes = try? FileReading.regular(file, most: 1 << 16),
      let signature = HookSignature(secret: String(decoding: bytes, as: UTF8.self))
    else { throw .request("secret-invalid", "\(file) must hold a secret like whsec_… of 24 bytes or more in base64") }
    return signature
  }
}
