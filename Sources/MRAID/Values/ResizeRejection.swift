internal import Core

/// Why resize properties can't be used; each is an `error` and unsets them.
package enum ResizeRejection: Error, Hashable, Sendable {
  /// Nothing, an empty object or no object at all was handed over.
  case noObject
  /// This required property isn't there.
  case missing(String)
  /// This required property is no finite number.
  case notANumber(String)
  /// This property has to be true or false here.
  case notAFlag(String)
  /// Narrower or lower than 50.
  case tooSmall(Size)
  /// It may not go offscreen and doesn't fit on the screen.
  case tooLarge(Size, maxSize: Size)
  /// It doesn't fit on the screen, and this container never lets an ad be larger.
  case exceedsMaxSize(Size, maxSize: Size)
  /// Larger, or further away, than any device lays an ad out.
  case beyondReach(Rect)
  /// The close region isn't wholly inside the content area.
  case closeRegionOffscreen(Rect, maxSize: Size)
}

extension ResizeRejection: CustomStringConvertible {
  /// The message of the `error` event.
  package var description: String {
    switch self {
    case .noObject: "resize properties must be an object with width, height, offsetX and offsetY"
    case .missing(let name): "resize property \(name) is missing"
    case .notANumber(let name): "resize property \(name) is no finite number"
    case .notAFlag(let name): "resize property \(name) must be true or false in this container"
    case .tooSmall(let size): "a resized ad must be at least 50x50, not \(size)"
    case .tooLarge(let size, let maxSize): "\(size) is larger than maxSize \(maxSize) and allowOffscreen is false"
    case .exceedsMaxSize(let size, let maxSize): "\(size) is larger than maxSize \(maxSize)"
    case .beyondReach(let frame):
      "\(frame.size) at \(frame.x.plain),\(frame.y.plain) is beyond what a device can lay out"
    case .closeRegionOffscreen(let region, let maxSize):
      "the close region at \(region.x.plain),\(region.y.plain) isn't wholly inside maxSize \(maxSize)"
    }
  }
}
