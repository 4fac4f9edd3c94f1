internal import AdExperience
internal import Core
internal import Foundation
internal import MRAID

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
    case "muted": value["muted"]?.bool.map(PlayerReport.muted)
    case "failed": .failed(value["reason"]?.string ?? "it failed")
    case "iconShown": place.map(PlayerReport.iconShown)
    case "iconClicked": place.map(PlayerReport.iconClicked)
    case "iconFailed": place.map(PlayerReport.iconFailed)
    default: nil
    }
  }
}
