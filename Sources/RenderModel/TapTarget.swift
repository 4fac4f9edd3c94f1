package import Core

/// An element in an ad that a user could tap, with the reasons for that assumption.
package struct TapTarget: Hashable, Sendable, Codable {
  /// Effect of a tap at the target's point.
  package enum Reach: String, Sendable, Codable, CaseIterable {
    /// A finger at `point` reaches it, after scrolling if necessary.
    case tappable
    /// Another element of the creative covers it.
    case covered
    /// The host's close control covers it.
    case underClose
    /// It is outside the area that can be seen or scrolled to.
    case offScreen
  }

  /// Selector for a scenario's `tap`; nil if only a point identifies it, as in frames and shadow trees.
  package var selector: String?
  /// Name for the user: a selector, in frames preceded by the frame's own.
  package var element: String
  /// Name of the element in the markup.
  private var name: String
  /// Text on the element, cut.
  package var label: String
  /// Kinds of reasons, such as `listener:click`, `onclick`, `link`, `control`, `role:button`, `tabindex`, `cursor`,
  /// `frame`, `under:#ad`, `spot:#ad`.
  package var reasons: [String]
  package var reach: Reach
  /// Indicates if its attributes or text describe it as a close button.
  package var closes: Bool
  /// Indicates if it is an image, or is or contains a canvas, video or frame: these change without the document.
  package var draws: Bool
  /// Point to tap, in dip of the screen.
  package var point: Point
  package var frame: Rect
  /// Name of the covering element; nil if it isn't covered.
  package var coveredBy: String?
  /// The nearest surrounding element that has a reason of its own: a tap reaches that too.
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
  /// The selector of the surrounding element with a listener, if that is the only reason for the target; else nil.
  package var container: String? {
    reasons.compactMap { reason in
      ["under:", "spot:"].first(where: reason.hasPrefix).map { String(reason.dropFirst($0.count)) }
    }.first
  }
}

/// An element in an ad that a finger can move, and the possible directions.
package struct SwipeSurface: Hashable, Sendable, Codable {
  /// Selector for a scenario's `swipe`; nil in shadow trees.
  package var selector: String?
  /// Name for the user.
  package var element: String
  /// `listener:touchmove`, `ontouchmove@document`, `overflow-x`, `overflow-y`, `snaps-y`.
  package var reasons: [String]
  package var directions: [SwipeDirection]
  /// Visible part, in dip of the screen.
  package var frame: Rect
  /// Scroll position in units of one swipe over the surface.
  package var place: Point
  /// Content visible in its middle; empty if that isn't informative.
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
  /// Indicates if the creative itself provides for swipes over it; a listener on the whole page doesn't count.
  package var isClaimed: Bool {
    reasons.contains { !$0.contains("@") && $0 != "overflow-y" }
  }
}

/// Direction in which a finger moves; the moved content follows it.
package enum SwipeDirection: String, Hashable, Sendable, Codable, CaseIterable {
  case left, right, up, down

  /// Share of a width or height that a swipe leaves free at each end.
  private static let margin = 0.15

  /// Share of a surface's width or height that a swipe over it crosses.
  package static let stroke = 1 - 2 * margin

  /// Start and end of a finger's path for a swipe over a surface, through its middle.
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

/// A field in an ad that a user can fill in.
package struct EntryField: Hashable, Sendable, Codable {
  /// Method of filling it in.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Text is typed into it.
    case text
    /// An option is chosen from its list.
    case choice
  }

  /// Selector for a scenario's step; nil in shadow trees.
  package var selector: String?
  /// Name for the user.
  package var element: String
  package var kind: Kind
  /// Text to type, or the option to choose.
  package var entry: String
  /// Indicates if its value differs from the initial one.
  package var isFilled: Bool
  /// The form it belongs to; empty if there is none.
  package var group: String
  /// Point to tap, in dip of the screen.
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
