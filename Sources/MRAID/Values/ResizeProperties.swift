package import Core

/// Properties that `setResizeProperties` sets as a whole.
///
/// The two sizes and two offsets are required, the others have defaults (MRAID 2.0).
package struct ResizeProperties: Hashable, Sendable {
  package var width: Double
  package var height: Double
  /// Distance from the default position's left edge.
  package var offsetX: Double
  /// Distance from the default position's top edge.
  package var offsetY: Double
  /// Position of the close region that the ad requests, deprecated in MRAID 3.
  ///
  /// Getters keep it, but the host uses `closePosition(by:)`.
  package var customClosePosition: ClosePosition
  /// Indicates if the ad may go offscreen; if not, the host shifts the frame until it fits.
  package var allowOffscreen: Bool

  /// Smallest width and height, so that the close region fits in.
  package static let minimum = 50.0

  /// Longest side of a view in dip, and below it the largest area in square dip, unless the screen has more.
  ///
  /// The standard sets no limit for an ad that may go offscreen, but memory does, at up to 16 pixels per dip².
  package static let longestSide = 4_096.0
  package static let largestArea = 3_000_000.0
  /// Maximum distance of an ad from its slot, in dip, on each axis.
  package static let farthest = 100_000.0

  /// Returns the position of the host's close control; nil if there is none.
  ///
  /// It is at top-right regardless of the ad's request (MRAID 3.0), or at the requested position (2.0).
  package func closePosition(by rules: ResizeRules) -> ClosePosition? {
    guard rules.hasCloseControl else { return nil }
    return rules.placesCloseRegion ? customClosePosition : .topRight
  }

  package init(
    width: Double, height: Double, offsetX: Double, offsetY: Double, customClosePosition: ClosePosition = .topRight,
    allowOffscreen: Bool = true
  ) {
    self.width = width
    self.height = height
    self.offsetX = offsetX
    self.offsetY = offsetY
    self.customClosePosition = customClosePosition
    self.allowOffscreen = allowOffscreen
  }

  /// Reads the properties that the page passed; optional members of the wrong type count as absent.
  package init(_ properties: JSONValue, rules: ResizeRules = ResizeRules()) throws(ResizeRejection) {
    guard let members = properties.object, !members.isEmpty else { throw .noObject }
    func required(_ name: String) throws(ResizeRejection) -> Double {
      guard let value = members[name], value != .null else { throw .missing(name) }
      guard let number = value.number, number.isFinite else { throw .notANumber(name) }
      return number
    }
    width = try required("width")
    height = try required("height")
    offsetX = try required("offsetX")
    offsetY = try required("offsetY")
    customClosePosition = members["customClosePosition"]?.string.flatMap(ClosePosition.init(rawValue:)) ?? .topRight
    if rules.needsAllowOffscreen, members["allowOffscreen"]?.bool == nil { throw .notAFlag("allowOffscreen") }
    allowOffscreen = members["allowOffscreen"]?.bool ?? true
  }

  /// Returns the ad's frame, from the content area's top-left, shifted to fit if it may not go offscreen.
  package func frame(
    in geometry: HostGeometry, rules: ResizeRules = ResizeRules(), checksRegion: Bool = true
  ) throws(ResizeRejection) -> Rect {
    let size = Size(width: width, height: height)
    guard width >= Self.minimum, height >= Self.minimum else { throw .tooSmall(size) }
    let bounds = Rect(origin: .zero, size: geometry.maxSize)
    let home = geometry.defaultPosition
    var frame = Rect(x: home.x + offsetX, y: home.y + offsetY, width: width, height: height)
    guard max(width, height) <= Self.longestSide, frame.area <= max(Self.largestArea, geometry.screenSize.area),
      max(abs(offsetX), abs(offsetY)) <= Self.farthest
    else { throw .beyondReach(frame) }
    let isLarger = width > bounds.width || height > bounds.height
    if rules.boundsOffscreen, isLarger { throw .exceedsMaxSize(size, maxSize: geometry.maxSize) }
    if !allowOffscreen {
      if isLarger { throw .tooLarge(size, maxSize: geometry.maxSize) }
      frame.x = min(max(frame.x, 0), bounds.width - width)
      frame.y = min(max(frame.y, 0), bounds.height - height)
    }
    guard checksRegion, rules.checksRegionOffscreen || !allowOffscreen else { return frame }
    guard let region = closePosition(by: rules)?.region(in: frame) else { return frame }
    guard bounds.contains(region) else { throw .closeRegionOffscreen(region, maxSize: geometry.maxSize) }
    return frame
  }

  /// Properties as the bridge's getter returns them.
  var json: JSONValue {
    [
      "width": .number(width), "height": .number(height), "offsetX": .number(offsetX), "offsetY": .number(offsetY),
      "customClosePosition": .string(customClosePosition.rawValue), "allowOffscreen": .bool(allowOffscreen),
    ]
  }
}

extension ResizeProperties {
  /// Returns the frame of a resized ad after a change of the content area, from the slot's new position; it is never
  /// refused.
  ///
  /// An ad that may not go offscreen shrinks to the content area and is shifted into it. One that may keeps its size
  /// and position, but is shifted until its close region is on screen, so that a rotation never leaves the user without
  /// a way to close it.
  func refitted(in geometry: HostGeometry, rules: ResizeRules) -> Rect {
    let bounds = geometry.maxSize
    let home = geometry.defaultPosition
    var frame = Rect(x: home.x + offsetX, y: home.y + offsetY, width: width, height: height)
    if !allowOffscreen {
      frame.width = min(width, bounds.width)
      frame.height = min(height, bounds.height)
    }
    guard let kept = allowOffscreen ? closePosition(by: rules)?.region(in: frame) : frame else { return frame }
    return frame.offset(
      x: min(max(kept.x, 0), bounds.width - kept.width) - kept.x,
      y: min(max(kept.y, 0), bounds.height - kept.height) - kept.y)
  }
}

/// Reason why resize properties can't be used; each is an `error` and unsets them.
package enum ResizeRejection: Error, Hashable, Sendable {
  /// Nothing, an empty object or a value of another type was passed.
  case noObject
  /// A required property is missing.
  case missing(String)
  /// A required property isn't a finite number.
  case notANumber(String)
  /// A property isn't true or false, which this container requires.
  case notAFlag(String)
  /// The width or height is below 50.
  case tooSmall(Size)
  /// The ad may not go offscreen and doesn't fit on the screen.
  case tooLarge(Size, maxSize: Size)
  /// The ad doesn't fit on the screen, and this container never lets an ad be larger.
  case exceedsMaxSize(Size, maxSize: Size)
  /// The ad is larger, or further away, than any device lays an ad out.
  case beyondReach(Rect)
  /// The close region isn't completely inside the content area.
  case closeRegionOffscreen(Rect, maxSize: Size)
}

extension ResizeRejection: CustomStringConvertible {
  /// The message of the `error` event.
  package var description: String {
    switch self {
    case .noObject: "resize properties must be an object with width, height, offsetX and offsetY"
    case .missing(let name): "resize property \(name) is missing"
    case .notANumber(let name): "resize property \(name) isn't a finite number"
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

/// Position of a resized ad's close region (`customClosePosition`).
package enum ClosePosition: String, Sendable, Codable, CaseIterable {
  case topLeft = "top-left"
  case topCenter = "top-center"
  case topRight = "top-right"
  case center
  case bottomLeft = "bottom-left"
  case bottomCenter = "bottom-center"
  case bottomRight = "bottom-right"
}

extension ClosePosition {
  /// Side of the square that must stay tappable.
  package static let regionSide = 50.0

  /// Returns the 50×50 close region of an ad with this frame.
  package func region(in frame: Rect) -> Rect {
    let side = Self.regionSide
    let x =
      switch self {
      case .topLeft, .bottomLeft: frame.x
      case .topCenter, .center, .bottomCenter: frame.center.x - side / 2
      case .topRight, .bottomRight: frame.maxX - side
      }
    let y =
      switch self {
      case .topLeft, .topCenter, .topRight: frame.y
      case .center: frame.center.y - side / 2
      case .bottomLeft, .bottomCenter, .bottomRight: frame.maxY - side
      }
    return Rect(x: x, y: y, width: side, height: side)
  }
}
