package import Core

/// The feed as a document that a web view draws: no script of its own, nothing from elsewhere but pictures.
package enum FeedPage {
  /// The whole document.
  package static func html(title: String, cells: [FeedCell]) -> String {
    let sections = Markup(joining: cells.map(section))
    let page: Markup = """
      <!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
      <title>\(title)</title><link rel="stylesheet" href="feed.css">\
      <body><header>\(title)</header><main>\(sections)</main></body>
      """
    return page.text
  }

  /// What `feed.css` beside the document is.
  package static var style: [UInt8] { PackageResources.feed_css }

  private static func section(_ cell: FeedCell) -> Markup {
    "<section id=\"\(cell.id)\" class=\"\(cell.type.rawValue)\"\(size(of: cell.ad))>\(cell.markup)</section>"
  }

  /// The room for an ad's view, as custom properties.
  private static func size(of place: AdSlotSpec?) -> Markup {
    guard let size = place?.size else { return "" }
    return " style=\"--width: \(size.width.plain)px; --height: \(size.height.plain)px\""
  }
}

/// What is drawn of an item, with nothing left to decide.
package struct FeedCell: Hashable, Sendable {
  /// The item's.
  package var id: String
  package var type: ContentType
  /// The inside of the cell.
  package var markup: Markup
  /// For an ad's place: which ad, and its size in dip.
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
  /// Whether an item is its own to make a cell of.
  func accepts(_ item: any ContentItem) -> Bool
  /// The cell, for an item that it accepts.
  func cell(for item: any ContentItem) -> FeedCell
}
