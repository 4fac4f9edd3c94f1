internal import AdResponses
package import Core

/// Makes of a video ad's events what the log says of them and which addresses are asked.
///
/// Beacons are sent when that was asked for: a proof that counts as an impression would be paid by somebody.
package struct TrackingReporter: Hashable, Sendable {
  /// What the macros of all addresses of an ad stand for.
  private let environment: [String: String]
  private let sendsBeacons: Bool
  /// Whether the log names ads, so that `ad` is that and a film's place in its pod moves aside.
  private let namesAds: Bool
  /// Events so far, by which no two requests are alike.
  private var events = 0

  /// - Parameters:
  ///   - width: of the player, in dip; `height` likewise.
  ///   - version: this program's.
  ///   - isMeasured: whether the app measures by Open Measurement.
  ///   - consent: macros that say what the person said to being tracked.
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

  /// What is to be logged and asked because of an event at `time`, an ISO 8601 date.
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

  /// An address of an ad's with its macros replaced, once so many responses were loaded.
  package func address(_ text: String, afterResponses responses: Int) -> String {
    let number = String(10_000_001 + responses)
    return VASTMacros(environment.merging(["CACHEBUSTING": number]) { $1 }).replaced(in: text)
  }
}

/// What an event of a video ad comes to.
package struct TrackingReport: Hashable, Sendable {
  /// The log's name of it.
  package let name: String
  fileprivate let members: [String: JSONValue]
  /// Seconds of the film.
  fileprivate let playhead: Double?
  /// Addresses to ask; nil where none are asked whatever the ad says.
  package let beacons: [String]?

  /// As the log has it, with the addresses that were really asked.
  package func detail(asked: [String]) -> JSONValue {
    var timing: [String: JSONValue] = [:]
    if let playhead { timing["playhead"] = .number((playhead * 1000).rounded() / 1000) }
    if beacons != nil { timing["urls"] = .array(asked.map { .string($0) }) }
    return .object(timing.isEmpty ? members : members.merging(["timing": .object(timing)]) { $1 })
  }
}
