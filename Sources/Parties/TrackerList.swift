internal import Core

/// Owner of a host that collects data about users across sites or apps.
package struct Tracker: Hashable, Sendable, Codable {
  /// Main purpose of the company's hosts.
  package enum Purpose: String, Hashable, Sendable, Codable, CaseIterable {
    /// Delivers and sells ads, and recognises the users that see them.
    case advertising
    /// Counts visits and the visitors' actions.
    case analytics
    /// Finds the ad that led to an installation or a purchase.
    case attribution
    /// Collects and trades data about users, or joins their identifiers.
    case data
    /// Measures if ads are seen, and if humans see them.
    case measurement
    /// Belongs to a social network.
    case social
  }

  package let company: String
  package let purpose: Purpose
}

/// List by which trackers are recognised.
package enum TrackerList {
  /// Source of the list; `date` is the day of its last review.
  package static let source = "Galley's own list, by the companies' documentation"
  package static let date = "2026-11-25"

  /// Returns the tracker that owns a host or a domain above it; nil if the list has none.
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
