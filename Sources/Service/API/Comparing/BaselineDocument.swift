internal import Baselines
internal import MRAID

/// A baseline as the API tells it.
struct BaselineDocument: Encodable {
  /// A picture and where to get it.
  struct Picture: Encodable {
    let name: String
    let sha256: String
    let url: String
  }

  let creative: String
  let variant: String
  let source: String
  let states: [String]
  let pictures: [Picture]
  let url: String

  init(_ key: BaselineKey, _ manifest: BaselineManifest) {
    (creative, variant, source) = (key.creative, key.variant, manifest.source)
    states = manifest.states.map(\.rawValue)
    let base = "/v1/baselines/\(Self.escaped(key.creative))/\(Self.escaped(key.variant))"
    url = base
    pictures = manifest.pictures.map {
      Picture(name: $0.name, sha256: $0.sha256, url: "\(base)/pictures/\(Self.escaped($0.name))")
    }
  }

  /// One part of an address's path.
  static func escaped(_ text: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
    return text.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
