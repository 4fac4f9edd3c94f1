internal import Core

/// Whom a host belongs to, where that is somebody who learns of people across sites or apps.
package struct Tracker: Hashable, Sendable, Codable {
  /// What its hosts are there for, in the first place.
  package enum Purpose: String, Hashable, Sendable, Codable, CaseIterable {
    /// Delivers and sells ads, and recognises who sees them.
    case advertising
    /// Counts visits and what visitors do.
    case analytics
    /// Says which ad an installation or a purchase comes from.
    case attribution
    /// Collects and trades what is known of people, or joins their identifiers.
    case data
    /// Measures whether ads are seen, and by people.
    case measurement
    /// A social network's.
    case social
  }

  package let company: String
  package let purpose: Purpose
}

/// The list by which trackers are named.
package enum TrackerList {
  /// Where it comes from, and when it was last gone through.
  package static let source = "Galley's own list, by the companies' documentation"
  package static let date = "2026-11-25"

  /// Who a host belongs to; nil for whoever isn't on the list.
  package static func tracker(of host: String) -> Tracker? {
    var name = host.lowercased()[...]
    while true {
      if let tracker = known[String(name)] { return tracker }
      guard let dot = name.firstIndex(of: ".") else { return nil }
      name = name[name.index(after: dot)...]
    }
  }

  package static var count: Int { known.count }

  private static let known: [String: Tracker] = {
    var known: [String: Tracker] = [:]
    let text = String(decoding: PackageResources.trackers_tsv, as: UTF8.self)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t")
      guard fields.count == 3, let purpose = Tracker.Purpose(rawValue: String(fields[0])) else { continue }
      for host in fields[2].split(separator: " ") {
        known[String(host)] = Tracker(company: String(fields[1]), purpose: purpose)
      }
    }
    return known
  }()
}
