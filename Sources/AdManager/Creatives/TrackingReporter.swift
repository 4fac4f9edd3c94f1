internal import AdResponses
package import Core

/// Converts a video ad's events into log entries and the addresses to request.
///
/// Beacons are only sent if that was requested: a proof that counts as an impression would have to be paid for.
package struct TrackingReporter: Hashable, Sendable {
  /// Values of the macros that all addresses of an ad share.
  private let environment: [String: String]
  private let sendsBeacons: Bool
  /// Indicates that the log uses `ad` for the ad's name, so that a video's place in its pod is logged as `video`.
  private let namesAds: Bool
  /// Number of events so far, which makes every request unique.
  private var events = 0

  /// - Parameters:
  ///   - width: width of the player in dip; `height` likewise.
  ///   - version: version of this program.
  ///   - isMeasured: true if the app measures with Open Measurement.
  ///   - consent: macros with the user's consent to tracking.
  package init(
    width: Double, height: Double, isInterstitial: Bool, userAgent: String, version: String, sendsBeacons: Bool,
    namesAds: Bool, consent: [String: String] = [:], isMeasured: Bool = false
  ) {
    self.sendsBeacons = sendsBeacons
    self.namesAds = namesAds
    var own = [
      "VASTVERSIONS": "2,3,5,6,7,8,11,12,13,14", "PLAYERSIZE": "\(width.plain),\(height.plain)", "SERVERSIDE": "0",
      "CLIENTUA": "Galley/\(version)",
      "DEVICEUA": userAgent, "IFA": VASTMacros.withheld, "LATLONG": VASTMacros.withheld,
      "PLAYERCAPABILITIES": "skip,mute,autoplay,mautoplay,fullscreen,icon",
      "INVENTORYSTATE": isInterstitial ? "skippable,autoplayed,fullscreen" : "skippable,mautoplayed",
      // AdCOM's list: on page load, with sound or without.
      "PLAYBACKMETHODS": isInterstitial ? "1" : "2",
    ]
    if isMeasured {
      own["OMIDPARTNER"] = "Galley/\(version)"
      // AdCOM's list: OMID 1.0.
      own["APIFRAMEWORKS"] = "7"
    }
    environment = own.merging(consent) { $1 }
  }

  /// Returns the log entry and the addresses to request for an event at `time`, an ISO 8601 date.
  package mutating func report(_ event: TrackedEvent, at time: String) -> TrackingReport {
    events += 1
    var macros = VASTMacros(environment.merging(event.macros) { $1 })
    macros.values["CACHEBUSTING"] = String(10_000_000 + events)
    macros.values["TIMESTAMP"] = time
    var detail = event.detail
    if !event.beacons.isEmpty {
      let shown = event.beacons.map { macros.replaced(in: $0, leaving: VASTMacros.volatile) }
      detail["beacons"] = .array(shown.map { .string($0) })
      detail["sent"] = .bool(sendsBeacons)
    }
    if namesAds, let place = detail.removeValue(forKey: "ad") { detail["video"] = place }
    return TrackingReport(
      name: event.name, members: detail, playhead: event.playhead,
      beacons: sendsBeacons ? event.beacons.map { macros.replaced(in: $0) } : nil)
  }

  /// Replaces the macros in an ad's address, after this number of loaded responses; `time` is an ISO 8601 date.
  package func address(_ text: String, afterResponses responses: Int, at time: String) -> String {
    var macros = VASTMacros(environment)
    macros.values["CACHEBUSTING"] = String(10_000_001 + responses)
    macros.values["TIMESTAMP"] = time
    return macros.replaced(in: text)
  }
}

/// Log entry and addresses of a video ad's event.
package struct TrackingReport: Hashable, Sendable {
  /// Name of the event in the log.
  package let name: String
  fileprivate let members: [String: JSONValue]
  /// Seconds of the video; nil before it plays.
  fileprivate let playhead: Double?
  /// Addresses to request; nil if beacons aren't sent at all.
  package let beacons: [String]?

  /// Returns the log entry, with the addresses that were really requested.
  package func detail(asked: [String]) -> JSONValue {
    var timing: [String: JSONValue] = [:]
    if let playhead { timing["playhead"] = .number((playhead * 1000).rounded() / 1000) }
    if beacons != nil { timing["urls"] = .array(asked.map { .string($0) }) }
    return .object(timing.isEmpty ? members : members.merging(["timing": .object(timing)]) { $1 })
  }
}
