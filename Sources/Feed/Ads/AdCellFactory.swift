/// Draws an ad's place: a label over the room that the ad's own view fills.
package struct AdCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is AdPlace }

  package func cell(for item: any ContentItem) -> FeedCell {
    FeedCell(
      id: item.id, type: .ad,
      markup: """
        <small class="label">Advertisement</small>\
        <div class="room" data-view><span class="indicator" hidden></span></div>
        """,
      ad: item as? AdPlace)
  }
}
