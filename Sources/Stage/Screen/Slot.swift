package import MRAID

/// The room the host page keeps for a banner; it stays empty while the ad is expanded or resized.
package struct Slot: Hashable, Sendable, Codable {
  /// In dip.
  package var size: Size
  package var position: SlotPosition

  package init(size: Size, position: SlotPosition) {
    self.size = size
    self.position = position
  }
}
