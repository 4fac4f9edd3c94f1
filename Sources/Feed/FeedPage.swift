package import Core

/// The feed as a document for a web view: no script of its own, and no external content except images.
package enum FeedPage {
  /// Returns the whole document.
  package static func html(title: String, cells: [FeedCell]) -> String {
    let sections = Markup(joining: cells.map(section))
    let page: Markup = """
      <!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
      <title>\(title)</title><link rel="stylesheet" href="feed.css">\
      <body><header>\(title)</header><main>\(sections)</main></body>
      """
    return page.text
  }

  /// Content of the file `feed.css` beside the document.
  package static var style: [UInt8] { PackageResources.feed_css }

  private static func section(_ cell: FeedCell) -> Markup {
    "<section id=\"\(cell.id)\" class=\"\(cell.type.rawValue)\"\(size(of: cell.ad))>\(cell.markup)</section>"
  }

  /// Returns the size of an ad's view as custom properties.
  private static func size(of place: AdSlotSpec?) -> Markup {
    guard let size = place?.size else { return "" }
    return " style=\"--width: \(size.width.plain)px; --height: \(size.height.plain)px\""
  }
}

/// Drawing of an item, with everything decided.
package struct FeedCell: Hashable, Sendable {
  /// Identifier of the item.
  package var id: String
  package var type: ContentType
  /// Markup inside of the cell.
  package var markup: Markup
  /// Ad and its size in dip, for a place for an ad; nil for other cells.
  package var ad: AdSlotSpec?

  package init(id: String, type: ContentType, markup: Markup, ad: AdSlotSpec? = nil) {
    self.id = id
    self.type = type
    self.markup = markup
    self.ad = ad
  }
}

/// Makes cells of the items it accepts.
package protocol CellFactory: Sendable {
  /// Indicates that the factory makes the cell of this item.
  func accepts(_ item: any ContentItem) -> Bool
  /// Returns the cell for an item that it accepts.
  func cell(for item: any ContentItem) -> FeedCell
}
