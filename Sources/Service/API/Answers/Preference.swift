internal import Core
internal import HTTPTypes
internal import Hummingbird

/// What a client prefers, by RFC 7240.
struct Preference {
  /// The longest a request is kept waiting, in seconds.
  static let longest = 120
  /// Seconds to wait for the outcome; nil not to.
  let wait: Int?

  init(_ request: Request) {
    self.init(HTTPField.Name("Prefer").flatMap { request.headers[$0] } ?? "")
  }

  init(_ text: String) {
    let waits = text.split(whereSeparator: { $0 == "," || $0 == ";" }).compactMap { part -> Int? in
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
      guard pair.count == 2, pair[0].lowercased() == "wait" else { return nil }
      return Int(pair[1].filter { $0 != "\"" })
    }
    wait = waits.first.flatMap { $0 > 0 ? min($0, Self.longest) : nil }
  }
}

extension HTTPField.Name {
  /// RFC 7240's; `HTTPTypes` has no name for it.
  static var preferenceApplied: Self { Self("Preference-Applied")! }
}
