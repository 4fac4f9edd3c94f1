/// What the app has to say for itself in the feed.
package struct AppNotification: ContentItem, Hashable {
  package var id: String { "notification" }
  package var title: String
  package var text: String
  /// What the button says that takes it up.
  package var button: String

  package init(title: String, text: String, button: String) {
    self.title = title
    self.text = text
    self.button = button
  }
}
