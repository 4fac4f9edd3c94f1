package import AdManager
package import AdResponses
package import Core
internal import Foundation
internal import MRAID
internal import RenderModel

/// Page that plays a video: Galley's own, with the settings of this ad.
package struct PlayerPage {
  private let film: VASTLinear
  private let source: CreativeAddress
  private let isInterstitial: Bool
  private let isMuted: Bool
  private let interactive: InteractivePage?
  private let address: (String) -> CreativeAddress?

  /// - Parameters:
  ///   - source: address of the video that the page loads.
  ///   - interactive: interactive creative above the video, or in its place above a programme; nil for none.
  ///   - address: converts an address of the ad to one that may be loaded; nil if it may not.
  package init(
    film: VASTLinear, source: CreativeAddress, isInterstitial: Bool, isMuted: Bool,
    interactive: InteractivePage? = nil, address: @escaping (String) -> CreativeAddress?
  ) {
    self.film = film
    self.source = source
    self.isInterstitial = isInterstitial
    self.isMuted = isMuted
    self.interactive = interactive
    self.address = address
  }

  /// Folder of the host's own pages in the creative's origin; creatives have no hidden files, so paths don't collide.
  package static let folder = "/.galley/"

  /// HTML of the page, which takes commands under the name `channel`.
  package func html(channel: String) -> [UInt8] {
    let settings: JSONValue = [
      "source": .string(source.url), "interstitial": .bool(isInterstitial), "muted": .bool(isMuted),
      "duration": film.duration.map { .number($0) } ?? .null,
      "skip": film.skipOffset?.seconds(of: film.duration).map { .number($0) } ?? .null,
      "click": .bool(film.clickThrough != nil), "icons": .array(film.icons.map(icon)),
      "interactive": interactive?.settings(isInterstitial: isInterstitial) ?? .null,
    ]
    let session = interactive == nil ? "" : String(decoding: PackageResources.simid_js, as: UTF8.self)
    let page = String(decoding: PackageResources.player_html, as: UTF8.self)
    return Array(
      BridgeScript.linked(page, channelName: channel).replacing("__GALLEY_CHANNEL__", with: channel)
        .replacing("__GALLEY_SIMID__", with: session).replacing("__GALLEY_PLAYER__", with: settings.text).utf8)
  }

  private func icon(_ icon: VASTIcon) -> JSONValue {
    var members: [String: JSONValue] = [
      "width": .number(icon.width ?? 20), "height": .number(icon.height ?? 20), "x": place(icon.x), "y": place(icon.y),
      "offset": .number(icon.offset?.seconds(of: film.duration) ?? 0),
      "duration": icon.duration.map { .number($0) } ?? .null, "name": .string(icon.program ?? "About this ad"),
    ]
    switch icon.resource {
    case .screenshot(let url, _)?: members["image"] = address(url).map { .string($0.url) }
    case .page(let url)?: members["page"] = address(url).map { .string($0.url) }
    case .html(let markup)?: members["html"] = .string(markup)
    case nil: break
    }
    // Its place stays, as where its address leads nowhere.
    if members["image"] == nil, members["page"] == nil, members["html"] == nil { members["html"] = "" }
    return .object(members)
  }

  private func place(_ place: VASTIcon.Place) -> JSONValue {
    switch place {
    case .start: 0
    case .end: "end"
    case .at(let dip): .number(dip)
    }
  }
}

/// Message from a player's page.
package enum PlayerMessage: Hashable, Sendable {
  /// The first frame is there; the duration is in seconds, nil if the file doesn't state it.
  case ready(duration: Double?)
  /// An entry of the communication between the player and an interactive creative.
  case simid(name: String, detail: JSONValue)
  /// An event of the video; progress counts only for the host's `turn` in which it was reported.
  case report(PlayerReport, turn: Int? = nil)

  /// Decodes a message; nil if the text is something else.
  package init?(_ json: String) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)),
      let name = value["player"]?.string, let message = Self.message(name, value)
    else { return nil }
    self = message
  }

  private static func message(_ name: String, _ value: JSONValue) -> PlayerMessage? {
    if name == "ready" { return .ready(duration: value["duration"]?.number.map(seconds)) }
    if name == "simid" { return simid(value) }
    let turn = value["turn"]?.number.flatMap { Bounded.whole($0, in: 0...1_000_000) }
    return report(name, value).map { .report($0, turn: $0.isProgress ? turn : nil) }
  }

  /// Limits the seconds of a video to less than 100 hours, the maximum of the standard's time format.
  private static func seconds(_ value: Double) -> Double { Bounded.number(value, in: 0...359_999) }

  private static func report(_ name: String, _ value: JSONValue) -> PlayerReport? {
    let place = value["place"]?.number.flatMap { Bounded.whole($0, in: 0...1_000) }
    return switch name {
    case "played": .played
    case "waits": .interactive(.waits)
    case "playing": .playing
    case "paused": .paused
    case "ended": .ended
    case "clicked": .clicked
    case "skipped": .skipped
    case "fullScreen": .fullScreen
    case "time": value["seconds"]?.number.map { .time(seconds($0)) }
    case "buffering": value["buffering"]?.bool.map(PlayerReport.buffering)
    case "muted": value["muted"]?.bool.map(PlayerReport.muted)
    case "failed": .failed(value["reason"]?.string ?? "it failed")
    case "iconShown": place.map(PlayerReport.iconShown)
    case "iconClicked": place.map(PlayerReport.iconClicked)
    case "iconFailed": place.map(PlayerReport.iconFailed)
    default: InteractiveReport(name, value).map(PlayerReport.interactive)
    }
  }

  /// Decodes an entry for the log; nil if it can't be logged.
  private static func simid(_ value: JSONValue) -> PlayerMessage? {
    guard let name = value["name"]?.string, EventPattern(name) != nil, let detail = value["detail"],
      detail.object != nil
    else { return nil }
    return .simid(name: name, detail: detail)
  }
}

extension InteractiveReport {
  /// Decodes a report; nil if it is none. Values from a creative are limited by the player's script, and here again.
  fileprivate init?(_ name: String, _ value: JSONValue) {
    switch name {
    case "simidClick":
      let place = value["x"]?.number.flatMap { x in value["y"]?.number.map { Point(x: Self.dip(x), y: Self.dip($0)) } }
      self = .click(url: value["url"]?.string, opens: value["opens"]?.bool ?? false, place: place)
    case "simidNavigation":
      guard let url = value["url"]?.string else { return nil }
      self = .navigation(url)
    case "simidTracking": self = .tracking((value["urls"]?.array ?? []).prefix(50).compactMap(\.string))
    case "simidError":
      guard let code = value["code"]?.number.flatMap({ Bounded.whole($0, in: 1_100...1_299) }) else { return nil }
      let message = value["message"]?.string ?? ""
      self = .error(code: code, message: message.cut(to: 500), isFatal: value["fatal"]?.bool ?? false)
    case "simidShown": self = .shown
    case "simidExpanded": self = .expanded(value["expanded"]?.bool ?? false)
    case "simidOver":
      guard let end = value["how"]?.string.flatMap(End.init) else { return nil }
      self = .over(end)
    default: return nil
    }
  }

  private static func dip(_ value: Double) -> Double { Bounded.number(value, in: -100_000...100_000) }
}
