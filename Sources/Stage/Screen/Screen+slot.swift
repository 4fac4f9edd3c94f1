package import MRAID

extension Screen {
  /// Where an ad of this size stands in the page, in whole dip as SDKs report it; one too large starts at the corner.
  package func slotFrame(for size: Size, position: SlotPosition, scrollOffset: Double = 0) -> Rect {
    let area = contentArea
    let spareWidth = max(0, area.width - size.width)
    let spareHeight = max(0, area.height - size.height)
    let share: Double =
      switch position {
      case .top: 0
      case .center: 0.5
      case .bottom: 1
      }
    let x = area.x + (spareWidth / 2).rounded(.down)
    let y = area.y + (spareHeight * share).rounded(.down) - scrollOffset
    return Rect(x: x, y: y, width: size.width, height: size.height)
  }

  /// Where an ad's own place is now: its slot in a feed, else the slot of the page, if it has one.
  package func slotFrame(of view: ViewID) -> Rect? {
    guard let feed else { return slotFrame }
    return feed.slots[view].map { $0.offset(x: contentArea.x, y: contentArea.y - scrollOffset) }
  }

  /// Where the slot is now, scrolled with its page; nil when the page has none.
  package var slotFrame: Rect? {
    slot.map { slotFrame(for: $0.size, position: $0.position, scrollOffset: scrollOffset) }
  }
}
