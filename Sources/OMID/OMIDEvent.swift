package import Core

/// An event of a session, as measuring code hears it but for its time, which the page's service adds.
package struct OMIDEvent: Hashable, Sendable {
  /// The standard's word.
  package let type: String
  package let adSessionID: String
  package let data: [String: JSONValue]

  package init(type: String, adSessionID: String, data: [String: JSONValue]) {
    self.type = type
    self.adSessionID = adSessionID
    self.data = data
  }

  /// As the page's service takes it.
  package var json: JSONValue {
    ["type": .string(type), "adSessionId": .string(adSessionID), "data": .object(data)]
  }

  /// Whether session observers hear it.
  package var isOfSession: Bool { type.hasPrefix("session") }
}

/// What happens to a film, as Open Measurement names it.
package enum OMIDMediaEvent: Hashable, Sendable {
  /// Its first picture shows: the ad counts as seen.
  case impression
  /// Seconds, and how loud the player is from 0 to 1.
  case start(duration: Double, volume: Double)
  case volumeChange(Double)
  case playerStateChange(String)
  case adUserInteraction(String)
  /// One that has nothing with it.
  case plain(String)

  package var name: String {
    switch self {
    case .impression: "impression"
    case .start: "start"
    case .volumeChange: "volumeChange"
    case .playerStateChange: "playerStateChange"
    case .adUserInteraction: "adUserInteraction"
    case .plain(let name): name
    }
  }

  /// Those that have nothing with them.
  static let plainNames: Set<String> = [
    "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "bufferStart", "bufferFinish",
    "skipped",
  ]
}

/// What of a film's VAST document measuring code is told with `loaded`.
package struct OMIDVastProperties: Hashable, Sendable {
  /// Where the ad stands in the programme around it.
  package enum Position: String, CaseIterable, Sendable { case preroll, midroll, postroll, standalone }

  /// Seconds after which it may be skipped; nil where it may not.
  package var skipOffset: Double?
  package var isAutoPlay: Bool
  package var position: Position

  package init(skipOffset: Double?, isAutoPlay: Bool = true, position: Position = .standalone) {
    self.skipOffset = skipOffset
    self.isAutoPlay = isAutoPlay
    self.position = position
  }

  /// As `loaded` has them.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "skippable": .bool(skipOffset != nil), "autoPlay": .bool(isAutoPlay), "position": .string(position.rawValue),
    ]
    members["skipOffset"] = skipOffset.map { .number($0) }
    return members
  }
}

/// A script that measures, and what it is to be told.
package struct OMIDScriptResource: Hashable, Sendable {
  /// How much of the ad it may reach.
  package enum AccessMode: String, Sendable {
    /// All of its page.
    case full
    /// Nothing but the service.
    case limited
  }

  /// By which the service knows it.
  package var id: String
  /// As the document or the session client has it.
  package var url: String
  package var vendor: String?
  package var parameters: String?
  package var accessMode: AccessMode

  package init(id: String = "", url: String, vendor: String?, parameters: String?, accessMode: AccessMode) {
    self.id = id
    self.url = url
    self.vendor = vendor
    self.parameters = parameters
    self.accessMode = accessMode
  }

  /// As the page's service takes it, which loads the address it is given.
  package func json(loadedFrom address: String) -> JSONValue {
    [
      "id": .string(id), "url": .string(address), "vendor": vendor.map { .string($0) } ?? .null,
      "parameters": parameters.map { .string($0) } ?? .null, "accessMode": .string(accessMode.rawValue),
    ]
  }
}
