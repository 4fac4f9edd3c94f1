internal import AdManager
internal import AdResponses
internal import Core
internal import Foundation
internal import MRAID

/// The page that plays a film: Galley's own, with what this ad wants of it.
struct PlayerPage {
  let film: VASTLinear
  /// Where the film is, as the page loads it.
  let source: CreativeAddress
  let isInterstitial: Bool
  let isMuted: Bool
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
    ]
    let page = String(decoding: PackageResources.player_html, as: UTF8.self)
    return Array(
      BridgeScript.linked(page, channelName: channel).replacing("__GALLEY_CHANNEL__", with: channel)
        .replacing("__GALLEY_PLAYER__", with: settings.text).utf8)
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
    let turn = value["turn"]?.number.flatMap { Bounded.whole($0, in: 0...1_000_000) }
    return report(name, value).map { .report($0, turn: $0.isProgress ? turn : nil) }
  }

  /// Of a film: less than a hundred hours, as the standard's times are written.
  private static func seconds(_ value: Double) -> Double { Bounded.number(value, in: 0...359_999) }

  private static func report(_ name: String, _ value: JSONValue) -> PlayerReport? {
    let place = value["place"]?.number.flatMap { Bounded.whole($0, in: 0...1_000) }
    return switch name {
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
    default: nil
    }
  }
}
