package import MRAID

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
  package var name: String
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
