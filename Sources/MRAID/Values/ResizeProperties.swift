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

  /// Where the host has its close control: at top-right wherever the ad wishes it (MRAID 3.0), or there (2.0).
  package func closePosition(by rules: ResizeRules) -> ClosePosition {
    rules.placesCloseRegion ? customClosePosition : .topRight
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
    let region = closePosition(by: rules).region(in: frame)
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
