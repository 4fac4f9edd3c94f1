internal import Core
internal import MRAID
package import RenderModel

/// One action that a user can take in a state.
package struct UserAction: Hashable, Sendable {
  /// Kind of action; the raw values appear in `exploration.json`.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case tap
    /// A finger that moves over an element.
    case swipe
    /// Many touches of a game that is drawn on a canvas.
    case play
    /// Fills in every field of a form that still has its initial value.
    case type
    /// Taps the host's own close control.
    case close
    /// Actions that are undone afterwards; a lasting change is worth knowing.
    case rotate, scroll, background
  }

  package var kind: Kind
  /// Description, as `tap #buy`, `close` or `rotate and back`.
  package var label: String
  /// Element that is tapped; nil for other kinds.
  package var target: TapTarget?
  /// Surface that is swiped over; nil for other kinds.
  package var surface: SwipeSurface?
  /// Fields that are filled in; empty for other kinds.
  package var fields: [EntryField] = []
  /// Steps that carry out the act; `returning` are those that undo it.
  package var going: [Scenario.Action]
  package var returning: [Scenario.Action] = []
  /// Tier of the act; acts of a higher tier wait until no act of a lower one is left in any state.
  package var tier: Tier

  /// Priority of an act by the likelihood of an effect, the highest first.
  package enum Tier: Int, Sendable, Comparable {
    /// The creative or the host declares that it has an effect.
    case claimed
    /// An effect is likely: pointers, elements under a listener, rotating, scrolling, leaving the app.
    case likely
    /// A place without any hint of an effect.
    case blind

    package static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }
  }
}

/// Lists the acts that can be tried in a state, in a fixed order.
struct UserActionPlanner {
  let placement: Placement.Kind
  /// Size of the screen in dip.
  let screen: Size

  /// Distance in dip that the host page is scrolled to move a banner out of view.
  private var scrollDistance: Double { screen.height.rounded() }

  /// Returns all acts to try; `withJourneys` adds rotating, scrolling and leaving the app.
  func acts(in seen: PageSnapshot, withJourneys: Bool) -> [UserAction] {
    guard seen.document != nil || !seen.modals.isEmpty else { return [] }
    let close = seen.close == nil ? [] : [UserAction(kind: .close, label: "close", going: [.close], tier: .claimed)]
    // What the host shows above the ad isn't the creative's to try.
    if let top = seen.modals.last, top == "browser" || top == "video" { return close }
    return taps(seen) + forms(seen) + swipes(seen) + close + (withJourneys ? games(seen) + journeys(seen) : [])
  }

  /// Smallest share of the screen that a game's canvas covers.
  private static let gameShare = 0.3
  /// Maximum number of times that a game is played, each time with other moves.
  private static let plays = 3

  /// Returns the act of playing the game, if much of the screen is a canvas.
  private func games(_ seen: PageSnapshot) -> [UserAction] {
    guard let canvas = seen.canvas, canvas.area >= Self.gameShare * screen.width * screen.height else { return [] }
    return [game(seed: 1)]
  }

  private func game(seed: Int) -> UserAction {
    let again = seed == 1 ? "" : " again, in another way (\(seed))"
    return UserAction(
      kind: .play, label: "play the game\(again)", going: [.play(GameBudget(seed: seed))], tier: .likely)
  }

  /// Returns the act of playing a game once more, after moves that didn't lead to the store; nil after the last.
  func again(after game: PlayedGame) -> UserAction? {
    game.goal < .store && game.seed < Self.plays ? self.game(seed: game.seed + 1) : nil
  }

  private func swipes(_ seen: PageSnapshot) -> [UserAction] {
    seen.surfaces.flatMap { surface in
      surface.directions.map { direction in
        let (start, end) = direction.path(over: surface.frame)
        let step: Scenario.Action =
          surface.selector.map { .swipeOver($0, direction) } ?? .swipe(from: .point(start), to: .point(end))
        return UserAction(
          kind: .swipe, label: "swipe \(surface.element) \(direction.rawValue)", surface: surface, going: [step],
          tier: surface.isClaimed ? .claimed : .likely)
      }
    }
  }

  /// Returns one act for each form, as a user fills in all of it before sending it.
  private func forms(_ seen: PageSnapshot) -> [UserAction] {
    let empty = seen.fields.filter { !$0.isFilled }
    let groups = empty.map(\.group).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return groups.map { group in
      let fields = empty.filter { $0.group == group }
      let names = fields.map(\.element).joined(separator: ", ")
      return UserAction(
        kind: .type, label: "fill in \(names)", fields: fields, going: fields.map(\.step), tier: .claimed)
    }
  }

  private func taps(_ seen: PageSnapshot) -> [UserAction] {
    // What is filled in is tapped for it.
    let fields = Set(seen.fields.map(\.element))
    return seen.targets.filter { $0.reach == .tappable && !fields.contains($0.element) }.map { target in
      let place = target.selector.map(Scenario.Target.selector) ?? .point(target.point)
      let spot = target.selector == nil ? " at \(target.point.x.plain),\(target.point.y.plain)" : ""
      return UserAction(
        kind: .tap, label: "tap \(target.element)\(spot)", target: target, going: [.tap(place)], tier: target.tier)
    }
  }

  private func journeys(_ seen: PageSnapshot) -> [UserAction] {
    let other: AppOrientation = seen.orientation == .portrait ? .landscape : .portrait
    var acts = [
      UserAction(
        kind: .rotate, label: "rotate and back", going: [.rotate(other)], returning: [.rotate(seen.orientation)],
        tier: .likely)
    ]
    if placement == .banner, seen.modals.isEmpty {
      acts.append(
        UserAction(
          kind: .scroll, label: "scroll away and back", going: [.scroll(to: scrollDistance)],
          returning: [.scroll(to: 0)], tier: .likely))
    }
    acts.append(
      UserAction(
        kind: .background, label: "leave the app and come back", going: [.background], returning: [.foreground],
        tier: .likely))
    return acts
  }
}

extension TapTarget {
  /// Likelihood that a tap has an effect.
  var tier: UserAction.Tier {
    if reasons.contains(where: Self.isClaim) { return .claimed }
    return reasons.contains { $0.hasPrefix("spot:") } ? .blind : .likely
  }

  /// Indicates if the creative itself declares that a tap has an effect: by a listener, role, link, control or cursor.
  var isClaimed: Bool { reasons.contains { Self.isClaim($0) || $0 == "cursor" } }

  private static func isClaim(_ reason: String) -> Bool {
    // A listener on the whole document is for anything in it, or for none.
    if reason.contains("@") { return false }
    return ["listener:", "on", "role:"].contains(where: reason.hasPrefix) || reason == "link" || reason == "control"
  }
}

extension SwipeSurface {
  /// Indicates if only the engine moves it, as a list that scrolls.
  var isList: Bool { !reasons.contains { $0.contains("move") } }
}

extension EntryField {
  /// Step of a scenario that fills the field in.
  var step: Scenario.Action {
    let target = selector.map(Scenario.Target.selector) ?? .point(point)
    return switch kind {
    case .text: .type(text: entry, into: target)
    case .choice: .choose(option: entry, from: target)
    }
  }
}
