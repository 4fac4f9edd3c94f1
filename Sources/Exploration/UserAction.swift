internal import Core
internal import MRAID
package import RenderModel

/// One thing a person can do in a state.
package struct UserAction: Hashable, Sendable {
  /// What kind of thing; the raw value is `exploration.json`'s.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case tap
    /// A finger that moves over something.
    case swipe
    /// Fills in every field of a form that is still as it began.
    case type
    /// The host's own close control.
    case close
    /// There and back again: what stays changed is worth knowing.
    case rotate, scroll, background
  }

  package var kind: Kind
  /// In words: `tap #buy`, `close`, `rotate and back`.
  package var label: String
  /// What is tapped.
  package var target: TapTarget?
  /// What is swiped over.
  package var surface: SwipeSurface?
  /// What is filled in.
  package var fields: [EntryField] = []
  /// The steps that do it, and those that undo it.
  package var going: [Scenario.Action]
  package var returning: [Scenario.Action] = []
  /// Acts of a higher tier wait until none of a lower one is left anywhere.
  package var tier: Tier

  /// How promising an act is, most first.
  package enum Tier: Int, Sendable, Comparable {
    /// The creative or the host says that it does something.
    case claimed
    /// It may well: pointers, things under a listener, what the person does to the device.
    case likely
    /// A place like any other.
    case blind

    package static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }
  }
}

/// Says what can be tried in a state, in a fixed order.
struct UserActionPlanner {
  let placement: Placement.Kind
  /// How far the host page is scrolled to take a banner out of view, in dip.
  let scrollDistance: Double

  /// Everything to try; `withJourneys` adds what the person does to the device.
  func acts(in seen: PageSnapshot, withJourneys: Bool) -> [UserAction] {
    guard seen.document != nil || !seen.modals.isEmpty else { return [] }
    let close = seen.close == nil ? [] : [UserAction(kind: .close, label: "close", going: [.close], tier: .claimed)]
    // What the host shows above the ad isn't the creative's to try.
    if let top = seen.modals.last, top == "browser" || top == "video" { return close }
    return taps(seen) + forms(seen) + swipes(seen) + close + (withJourneys ? journeys(seen) : [])
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

  /// One act a form: a person fills in all of it before sending it.
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
  /// How promising a tap is.
  var tier: UserAction.Tier {
    if reasons.contains(where: Self.isClaim) { return .claimed }
    return reasons.contains { $0.hasPrefix("spot:") } ? .blind : .likely
  }

  /// Whether the creative itself says that a tap on it does something.
  var isClaimed: Bool { reasons.contains { Self.isClaim($0) || $0 == "cursor" } }

  private static func isClaim(_ reason: String) -> Bool {
    // A listener on the whole document is for anything in it, or for none.
    if reason.contains("@") { return false }
    return ["listener:", "on", "role:"].contains(where: reason.hasPrefix) || reason == "link" || reason == "control"
  }
}

extension SwipeSurface {
  /// Whether the engine alone moves it.
  var isList: Bool { !reasons.contains { $0.contains("move") } }
}

extension EntryField {
  /// How a scenario fills it in.
  var step: Scenario.Action {
    let target = selector.map(Scenario.Target.selector) ?? .point(point)
    return switch kind {
    case .text: .type(text: entry, into: target)
    case .choice: .choose(option: entry, from: target)
    }
  }
}
