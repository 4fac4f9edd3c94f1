package import MRAID

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
