internal import AdManager
internal import AdResponses
internal import Core
internal import Foundation
internal import MRAID
internal import RenderModel

/// The page that plays a film: Galley's own, with what this ad wants of it.
struct PlayerPage {
  let film: VASTLinear
  /// Where the film is, as the page loads it.
  let source: CreativeAddress
  let isInterstitial: Bool
  let isMuted: Bool
  /// What runs above the film, or in its place above a programme.
  var interactive: InteractivePage?
  /// Makes of an address of the ad's one that may be loaded; nil where none may.
  let address: (String) -> CreativeAddress?

  /// Where the pages of the host's own stand in the creative's origin: no creative has hidden files.
  static let folder = "/.galley/"

  /// The page, which takes orders under `channel`.
  func html(channel: String) -> [UInt8] {
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

/// What a player's page posts.
enum PlayerMessage: Hashable, Sendable {
  /// Its first picture is there; seconds, nil where the file doesn't say.
  case ready(duration: Double?)
  /// A line of what a player and an interactive creative say to each other.
  case simid(name: String, detail: JSONValue)
  /// What happens to the film; how far it has come counts for a `turn` of the host's only.
  case report(PlayerReport, turn: Int? = nil)

  /// Nil when the text is something else.
  init?(_ json: String) {
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

  /// Of a film: less than a hundred hours, as the standard's times are written.
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

  /// Nil for what the log has no line of.
  private static func simid(_ value: JSONValue) -> PlayerMessage? {
    guard let name = value["name"]?.string, EventPattern(name) != nil, let detail = value["detail"],
      detail.object != nil
    else { return nil }
    return .simid(name: name, detail: detail)
  }
}

extension InteractiveReport {
  /// Nil when it is none; what a creative may have written of it is bounded by the player's script, and here again.
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
