package import Core

/// Event of a session as measurement code receives it, except for its time, which the page's service adds.
package struct OMIDEvent: Hashable, Sendable {
  /// Type of the event, in the standard's words.
  package let type: String
  package let adSessionID: String
  package let data: [String: JSONValue]

  package init(type: String, adSessionID: String, data: [String: JSONValue]) {
    self.type = type
    self.adSessionID = adSessionID
    self.data = data
  }

  /// JSON for the page's service.
  package var json: JSONValue {
    ["type": .string(type), "adSessionId": .string(adSessionID), "data": .object(data)]
  }

  /// Indicates that session observers receive the event.
  package var isOfSession: Bool { type.hasPrefix("session") }
}

/// Event of a video, by Open Measurement's names.
package enum OMIDMediaEvent: Hashable, Sendable {
  /// Its first frame is shown: the ad counts as seen.
  case impression
  /// Length in seconds, and the player's volume from 0 to 1.
  case start(duration: Double, volume: Double)
  case volumeChange(Double)
  case playerStateChange(String)
  case adUserInteraction(String)
  /// Event without data.
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

  /// Names of the events without data.
  static let plainNames: Set<String> = [
    "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "bufferStart", "bufferFinish",
    "skipped",
  ]
}

/// Properties from a video's VAST document that measurement code gets with `loaded`.
package struct OMIDVastProperties: Hashable, Sendable {
  /// Position of the ad in the programme around it.
  package enum Position: String, CaseIterable, Sendable { case preroll, midroll, postroll, standalone }

  /// Seconds after which it may be skipped; nil if it may not.
  package var skipOffset: Double?
  package var isAutoPlay: Bool
  package var position: Position

  package init(skipOffset: Double?, isAutoPlay: Bool = true, position: Position = .standalone) {
    self.skipOffset = skipOffset
    self.isAutoPlay = isAutoPlay
    self.position = position
  }

  /// Members for the event `loaded`.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "skippable": .bool(skipOffset != nil), "autoPlay": .bool(isAutoPlay), "position": .string(position.rawValue),
    ]
    members["skipOffset"] = skipOffset.map { .number($0) }
    return members
  }
}

/// Measurement script with its parameters.
package struct OMIDScriptResource: Hashable, Sendable {
  /// Access that the script has to the ad.
  package enum AccessMode: String, Sendable {
    /// Access to the whole page of the ad.
    case full
    /// Access to the service only.
    case limited
  }

  /// Identifier of the script in the service.
  package var id: String
  /// Address as the document or the session client gives it.
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

  /// Returns the JSON for the page's service, which loads the script from `address`.
  package func json(loadedFrom address: String) -> JSONValue {
    [
      "id": .string(id), "url": .string(address), "vendor": vendor.map { .string($0) } ?? .null,
      "parameters": parameters.map { .string($0) } ?? .null, "accessMode": .string(accessMode.rawValue),
    ]
  }
}
