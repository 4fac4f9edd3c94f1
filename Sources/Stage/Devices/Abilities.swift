package import MRAID

/// What the apps on a device let an ad do, and how its person answers; decides the commands no host can carry out
/// headlessly.
package struct Abilities: Hashable, Sendable, Codable {
  /// What `mraid.supports()` answers true to: sms, tel, calendar, storePicture, inlineVideo, location, vpaid.
  package var supports: Set<String>
  /// Whether the person confirms storePicture and createCalendarEvent; refusal is an MRAID `error`.
  package var confirms: Bool
  /// What `mraid.getLocation()` answers; nil for -1.
  package var location: JSONValue?

  package init(supports: Set<String>, confirms: Bool = true, location: JSONValue? = nil) {
    self.supports = supports
    self.confirms = confirms
    self.location = location
  }

  /// A phone whose person says yes; in Null Island, where nobody lives.
  package static let phone = Abilities(
    supports: ["sms", "tel", "calendar", "storePicture", "inlineVideo", "location"],
    location: ["lat": 0, "lon": 0, "type": 1, "accuracy": 10, "lastfix": 0])

  /// Sorted, so that equal devices encode alike.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(supports.sorted(), forKey: .supports)
    try container.encode(confirms, forKey: .confirms)
    try container.encodeIfPresent(location, forKey: .location)
  }

  private enum CodingKeys: String, CodingKey {
    case supports, confirms, location
  }
}
