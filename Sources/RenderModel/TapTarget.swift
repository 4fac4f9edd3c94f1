package import Core

/// Something in an ad that a person could tap, and why it is thought so.
package struct TapTarget: Hashable, Sendable, Codable {
  /// What a tap comes to.
  package enum Reach: String, Sendable, Codable, CaseIterable {
    /// A finger at `point` reaches it, after scrolling if need be.
    case tappable
    /// Another element of the creative's lies over it.
    case covered
    /// The host's close control lies over it.
    case underClose
    /// It is outside what can be seen or scrolled to.
    case offScreen
  }

  /// What a scenario's `tap` finds it by; nil when only a point does, as in frames and shadow trees.
  package var selector: String?
  /// What to call it: a selector, in frames after the frame's own.
  package var element: String
  /// The element's name in the markup.
  private var name: String
  /// What is written on it, cut.
  package var label: String
  /// `listener:click`, `onclick`, `link`, `control`, `role:button`, `tabindex`, `cursor`, `frame`, `under:#ad`, `spot:#ad`.
  package var reasons: [String]
  package var reach: Reach
  /// Whether it calls itself a close button.
  package var closes: Bool
  /// Whether it is or holds a canvas, film or frame, which change without the document.
  package var draws: Bool
  /// Where to tap, in dip of the screen.
  package var point: Point
  package var frame: Rect
  /// What lies over it when it is covered.
  package var coveredBy: String?
  /// The nearest thing around it that has a reason of its own: a tap reaches that too.
  package var within: String?

  package init(
    selector: String?, element: String, name: String = "div", label: String = "", reasons: [String],
    reach: Reach = .tappable, closes: Bool = false, draws: Bool = false, point: Point = .zero,
    frame: Rect = Rect(x: 0, y: 0, width: 0, height: 0), coveredBy: String? = nil,
    within: String? = nil
  ) {
    self.selector = selector
    self.element = element
    self.name = name
    self.label = label
    self.reasons = reasons
    self.reach = reach
    self.closes = closes
    self.draws = draws
    self.point = point
    self.frame = frame
    self.coveredBy = coveredBy
    self.within = within
  }
}

extension TapTarget {
  /// The selector of the listener it lies under, when that is the only reason to try it.
  package var container: String? {
    reasons.compactMap { reason in
      ["under:", "spot:"].first(where: reason.hasPrefix).map { String(reason.dropFirst($0.count)) }
    }.first
  }
}

/// Something in an ad that a finger can move, and which way.
package struct SwipeSurface: Hashable, Sendable, Codable {
  /// What a scenario's `swipe` finds it by; nil in shadow trees.
  package var selector: String?
  /// What to call it.
  package var element: String
  /// `listener:touchmove`, `ontouchmove@document`, `overflow-x`, `overflow-y`, `snaps-y`.
  package var reasons: [String]
  package var directions: [SwipeDirection]
  /// What of it can be seen, in dip of the screen.
  package var frame: Rect
  /// How far it is scrolled, in swipes over it.
  package var place: Point
  /// What is to be seen in its middle; empty when that tells nothing.
  package var shows: String

  package init(
    selector: String?, element: String, reasons: [String], directions: [SwipeDirection],
    frame: Rect = Rect(x: 0, y: 0, width: 100, height: 100), place: Point = .zero, shows: String = ""
  ) {
    self.selector = selector
    self.element = element
    self.reasons = reasons
    self.directions = directions
    self.frame = frame
    self.place = place
    self.shows = shows
  }
}

extension SwipeSurface {
  /// Whether the creative itself says that a swipe over it does something; a listener for all of a page says nothing.
  package var isClaimed: Bool {
    reasons.contains { !$0.contains("@") && $0 != "overflow-y" }
  }
}

/// Where a finger goes; what it moves follows it.
package enum SwipeDirection: String, Hashable, Sendable, Codable, CaseIterable {
  case left, right, up, down

  /// The share of a width or height a swipe leaves out at either end.
  private static let margin = 0.15

  /// How much of a surface's width or height a swipe over it crosses.
  package static let stroke = 1 - 2 * margin

  /// Where a finger goes down and up again to swipe over a surface, through its middle.
  package func path(over surface: Rect) -> (from: Point, to: Point) {
    let middle = Point(x: surface.x + surface.width / 2, y: surface.y + surface.height / 2)
    let (left, right) = (surface.x + surface.width * Self.margin, surface.x + surface.width * (1 - Self.margin))
    let (top, bottom) = (surface.y + surface.height * Self.margin, surface.y + surface.height * (1 - Self.margin))
    return switch self {
    case .left: (Point(x: right, y: middle.y), Point(x: left, y: middle.y))
    case .right: (Point(x: left, y: middle.y), Point(x: right, y: middle.y))
    case .up: (Point(x: middle.x, y: bottom), Point(x: middle.x, y: top))
    case .down: (Point(x: middle.x, y: top), Point(x: middle.x, y: bottom))
    }
  }
}

/// Something in an ad that a person fills in.
package struct EntryField: Hashable, Sendable, Codable {
  /// How it is filled in.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Typed into.
    case text
    /// An option is chosen from its list.
    case choice
  }

  /// What a scenario's step finds it by; nil in shadow trees.
  package var selector: String?
  /// What to call it.
  package var element: String
  package var kind: Kind
  /// What would be typed, or the option that would be chosen.
  package var entry: String
  /// Whether it holds anything else than it began with.
  package var isFilled: Bool
  /// The form it belongs to, empty when none.
  package var group: String
  /// Where to tap, in dip of the screen.
  package var point: Point

  package init(
    selector: String?, element: String, kind: Kind = .text, entry: String = "Galley", isFilled: Bool = false,
    group: String = "", point: Point = .zero
  ) {
    self.selector = selector
    self.element = element
    self.kind = kind
    self.entry = entry
    self.isFilled = isFilled
    self.group = group
    self.point = point
  }
}
