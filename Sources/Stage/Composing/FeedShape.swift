internal import MRAID

/// One thing on the host page, in dip from the top of the unscrolled page.
struct FeedShape: Hashable, Sendable {
  /// What a shape stands for, which decides its colour.
  enum Role: Sendable {
    case header, hairline, badge, heading, text, picture, slot
  }
  var role: Role
  var rect: Rect
}
