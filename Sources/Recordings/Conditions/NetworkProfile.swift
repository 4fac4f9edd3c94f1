package import Core

/// Speed of a simulated network, by pure calculation, so that it is the same each time.
///
/// A response's head takes one round trip, two more if a connection has to be made, three more with TLS 1.3. Bodies
/// share the line, part by part. A lost part arrives one retransmission later.
package struct NetworkProfile: Hashable, Sendable {
  /// Seconds of a round trip.
  package private(set) var latency = 0.0
  /// Bytes per second to the device; nil for no limit.
  package private(set) var down: Double?
  /// Share of parts that are lost, from 0 to 1.
  package private(set) var loss = 0.0
  /// Seconds after which the network fails; nil for never.
  package private(set) var offlineAfter: Double?

  /// Named profiles: WebPageTest's 3GSlow, 3G and 4G, and a crowded Wi-Fi.
  package static let named: [String: String] = [
    "slow-3g": "latency=400ms,down=400kbit", "3g": "latency=300ms,down=1.6mbit", "4g": "latency=170ms,down=9mbit",
    "slow-wifi": "latency=60ms,down=1mbit,loss=1%",
  ]

  /// Names of the profiles, sorted, for messages and choices.
  package static var names: [String] { named.keys.sorted() }

  /// Parses `3g`, `offline-after:2s` or `latency=300ms,down=1.6mbit,loss=1%`, several separated by commas.
  package init(parsing text: String) throws(Fault) {
    guard !text.isEmpty else { throw Self.fault(text) }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if let meant = Self.named[String(part)] {
        for part in meant.split(separator: ",") { try take(part, of: text) }
      } else {
        try take(part, of: text)
      }
    }
  }

  private mutating func take(_ part: Substring, of text: String) throws(Fault) {
    let pair = part.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }
    guard pair.count == 2 else { throw Self.fault(text) }
    switch pair[0] {
    case "latency": latency = try Self.number(pair[1], ["ms": 0.001, "s": 1], 0...60, text)
    case "down": down = try Self.number(pair[1], ["kbit": 125, "mbit": 125_000, "gbit": 125_000_000], 100...1e10, text)
    case "loss": loss = try Self.number(pair[1], ["%": 0.01], 0...0.9, text)
    case "offline-after": offlineAfter = try Self.number(pair[1], ["ms": 0.001, "s": 1], 0...3_600, text)
    default: throw Self.fault(text)
    }
  }

  private static func number(
    _ word: Substring, _ units: [String: Double], _ bounds: ClosedRange<Double>, _ text: String
  ) throws(Fault) -> Double {
    let unit = units.keys.filter(word.hasSuffix).max { $0.count < $1.count }
    guard let unit, let factor = units[unit], let number = Bounded.decimal(word.dropLast(unit.count)),
      bounds.contains(number * factor)
    else { throw fault(text) }
    return number * factor
  }

  private static func fault(_ text: String) -> Fault {
    let names = named.keys.sorted().joined(separator: ", ")
    return .request(
      "network-profile-invalid",
      "'\(text)' isn't a network: write \(names), offline-after:2s, or latency=300ms,down=1.6mbit,loss=1%")
  }
}
