/// What a client would rather have, by its Accept header.
package enum MediaChoice {
  /// The offer that is accepted best, the first where several are alike; nil when none is.
  package static func best(of offers: [String], accept: String?) -> String? {
    guard let accept, !accept.trimmingSpaces.isEmpty else { return offers.first }
    let ranges = accept.split(separator: ",").compactMap(range)
    let rated = offers.map { offer in (offer, quality(of: offer, ranges)) }
    let best = rated.map(\.1).max() ?? 0
    return best > 0 ? rated.first { $0.1 == best }?.0 : nil
  }

  /// The quality that the most specific range gives an offer.
  private static func quality(of offer: String, _ ranges: [(type: String, quality: Double)]) -> Double {
    let family = offer.prefix { $0 != "/" } + "/*"
    for wanted in [offer, String(family), "*/*"] {
      if let found = ranges.first(where: { $0.type == wanted }) { return found.quality }
    }
    return 0
  }

  private static func range(_ text: Substring) -> (type: String, quality: Double)? {
    let parts = text.split(separator: ";").map { $0.trimmingSpaces }
    guard let type = parts.first?.lowercased(), type.contains("/") else { return nil }
    let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
    return (type, weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
  }
}
