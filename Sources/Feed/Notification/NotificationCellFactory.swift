/// Draws the notification with its two ways out.
package struct NotificationCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is AppNotification }

  package func cell(for item: any ContentItem) -> FeedCell {
    guard let note = item as? AppNotification else { return FeedCell(id: item.id, type: .notification, markup: "") }
    return FeedCell(
      id: note.id, type: .notification,
      markup: """
        <h2>\(note.title)</h2><p>\(note.text)</p>\
        <button data-does="follow">\(note.button)</button><button data-does="dismiss" class="quiet">Not now</button>
        """)
  }
}
