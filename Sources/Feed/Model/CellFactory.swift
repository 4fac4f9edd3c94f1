/// Makes cells of the items it accepts.
package protocol CellFactory: Sendable {
  /// Whether an item is its own to make a cell of.
  func accepts(_ item: any ContentItem) -> Bool
  /// The cell, for an item that it accepts.
  func cell(for item: any ContentItem) -> FeedCell
}
