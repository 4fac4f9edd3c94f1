package import MRAID

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
