package import MRAID

/// A feed on the screen: the web view that draws it, and where ads stand on its page.
package struct FeedPlaces: Hashable, Sendable {
  /// The view of the feed itself, as large as the content area.
  package var view: ViewID
  /// By the ads' views, counted from the top left of the unscrolled page.
  package var slots: [ViewID: Rect]
  /// Views that are in their places; the others have none of their own yet, or any more.
  package var shown: [ViewID]

  package init(view: ViewID, slots: [ViewID: Rect] = [:], shown: [ViewID] = []) {
    self.view = view
    self.slots = slots
    self.shown = shown
  }
}
