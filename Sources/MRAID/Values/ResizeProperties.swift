package import Core

/// What `setResizeProperties` sets as a whole: the four sizes are required, the rest has defaults (MRAID 2.0).
package struct ResizeProperties: Hashable, Sendable {
  package var width: Double
  package var height: Double
  /// From the default position's left edge.
  package var offsetX: Double
  /// From the default position's top edge.
  package var offsetY: Double
  /// Deprecated in MRAID 3: getters keep the wish, the host goes by `closePosition(by:)`.
  package var customClosePosition: ClosePosition
  /// False asks the host to shift the frame until it fits.
  package var allowOffscreen: Bool

  /// The smallest width and height, so that the close region fits in.
  package static let minimum = 50.0

  /// The longest side of a view, in dip, and the most square dip unless the screen has more.
  ///
  /// No rule of the standard's bounds an ad that may go offscreen; its memory does, at up to 16 pixels of a dip².
  package static let longestSide = 4_096.0
  package static let largestArea = 3_000_000.0
  /// How far from its slot an ad may lie, in dip.
  package static let farthest = 100_000.0

  /// Where the host has its close control: at top-right wherever the ad wishes it (MRAID 3.0), or there (2.0); nil where
  /// it has none.
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

  /// Reads what the page handed over; optional members of the wrong type count as absent.
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

  /// Where the ad will lie, from the content area's top-left, shifted to fit when it may not go offscreen.
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

  /// As the bridge's getter returns it.
  var json: JSONValue {
    [
      "width": .number(width), "height": .number(height), "offsetX": .number(offsetX), "offsetY": .number(offsetY),
      "customClosePosition": .string(customClosePosition.rawValue), "allowOffscreen": .bool(allowOffscreen),
    ]
  }
}

extension ResizeProperties {
  /// Where a resized ad lies once the content area is another: by the slot's new place, and never refused.
  ///
  /// What may not go offscreen shrinks to the content area and is shifted into it. What may keeps its size and place,
  /// but is shifted until its close region is on screen: no turn leaves a person without a way out.
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

/// Where the close region of a resized ad lies (`customClosePosition`).
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
  /// The side of the square that must stay tappable.
  package static let regionSide = 50.0

  /// The 50×50 close region of an ad that lies at `frame`.
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
