package import Core

/// A phone, tablet or desktop as far as an ad can see it.
///
/// Many Android screens have a fractional scale (2.625), but an X11 window's scale is a whole number. Galley therefore
/// draws at `renderScale`, the next whole number, so screenshots of such devices have more pixels than the panel;
/// layout is the same, since both share the dip size. The page is told the device's own `scale` as `devicePixelRatio`.
package struct Device: Hashable, Sendable, Codable {
  /// Catalogue name, lower case with hyphens: `iphone-15`.
  package var name: String
  /// Upright screen in dip; a desktop's is wider than tall.
  package var screen: Size
  /// Physical pixels per dip as the page sees it (`devicePixelRatio`), may be fractional.
  package var scale: Double
  /// Status bar, notch and home indicator, upright, in dip.
  package var safeArea: Insets
  /// The same when turned to landscape.
  package var safeAreaLandscape: Insets
  package var touch: Bool
  package var userAgent: String
  /// `navigator.platform`.
  package var platform: String
  package var capabilities: Capabilities

  package init(
    name: String, screen: Size, scale: Double, safeArea: Insets = .zero, safeAreaLandscape: Insets = .zero,
    touch: Bool, userAgent: String, platform: String, capabilities: Capabilities = .phone
  ) {
    self.name = name
    self.screen = screen
    self.scale = scale
    self.safeArea = safeArea
    self.safeAreaLandscape = safeAreaLandscape
    self.touch = touch
    self.userAgent = userAgent
    self.platform = platform
    self.capabilities = capabilities
  }

  /// What the engine draws at: window scales are whole numbers, so a fractional one is rounded up.
  package var renderScale: Int { Bounded.int(scale, in: 1...8, rounding: .up) }
}

extension Device {
  /// Pixels of a picture of the whole screen.
  package var pixels: Double { screen.area * Double(renderScale * renderScale) }

  /// How the device stands when nobody has turned it: desktops lie, phones and tablets stand.
  package var naturalOrientation: AppOrientation { screen.width > screen.height ? .landscape : .portrait }

  /// The screen when held so.
  package func screenSize(in orientation: AppOrientation) -> Size {
    orientation == naturalOrientation ? screen : screen.turned
  }

  /// What the system keeps for itself when the device is held so.
  package func safeArea(in orientation: AppOrientation) -> Insets {
    orientation == .portrait ? safeArea : safeAreaLandscape
  }
}

extension Device {
  /// A touch device without safe areas from `390x844@3`; the scale may be fractional and is 1 when left out.
  package static func custom(screen text: String) throws(ScreenFormatError) -> Device {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let sides = parts[0].split(omittingEmptySubsequences: false) { "xX×".contains($0) }
    guard parts.count <= 2, sides.count == 2, let width = wholeNumber(sides[0]), let height = wholeNumber(sides[1]),
      let scale = parts.count == 2 ? decimal(parts[1]) : 1
    else { throw .malformed(text) }
    for side in [width, height] where !(50...4096).contains(side) { throw .sideOutOfRange(side) }
    guard (1...4).contains(scale) else { throw .scaleOutOfRange(scale) }
    let size = Size(width: width, height: height)
    let name = "\(size)@\(scale.plain)"
    let device = Device(
      name: name, screen: size, scale: scale, touch: true, userAgent: customUserAgent, platform: "iPhone")
    let pixels = Bounded.int(size.area, in: 0...4096 * 4096) * device.renderScale * device.renderScale
    guard pixels <= 100_000_000 else { throw .tooManyPixels(pixels) }
    return device
  }

  /// A web view inside an iPhone app, which creatives are most used to.
  private static let customUserAgent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

  /// Digits only: `Double` alone would take signs, exponents and "nan".
  private static func wholeNumber(_ text: Substring) -> Double? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Double(text) : nil
  }

  /// Digits with at most one point between them.
  private static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && wholeNumber($0) != nil }) else { return nil }
    return Double(text)
  }
}

/// Why a custom screen such as `390x844@3` can't be used; whoever wrote it has to act.
package enum ScreenFormatError: Error, Hashable, Sendable {
  /// Not of the form WIDTHxHEIGHT or WIDTHxHEIGHT@SCALE.
  case malformed(String)
  /// A side outside 50 to 4096 dip.
  case sideOutOfRange(Double)
  /// A scale outside 1 to 4.
  case scaleOutOfRange(Double)
  /// More physical pixels than a screenshot may have.
  case tooManyPixels(Int)

  /// Stable, for machines.
  package var code: String {
    switch self {
    case .malformed: "screen-malformed"
    case .sideOutOfRange: "screen-side-invalid"
    case .scaleOutOfRange: "screen-scale-invalid"
    case .tooManyPixels: "screen-too-large"
    }
  }
}

extension ScreenFormatError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let text): "'\(text)' is no screen: write WIDTHxHEIGHT@SCALE in dip, such as 390x844@3"
    case .sideOutOfRange(let side): "a screen's sides are 50 to 4096 dip, not \(side.plain)"
    case .scaleOutOfRange(let scale): "a screen's scale is 1 to 4, not \(scale.plain)"
    case .tooManyPixels(let count): "a screen has at most 100 million physical pixels, not \(count)"
    }
  }
}

/// What the apps on a device let an ad do, and how its person answers; decides the commands no host can carry out
/// headlessly.
package struct Capabilities: Hashable, Sendable, Codable {
  /// What `mraid.supports()` answers true to: sms, tel, calendar, storePicture, inlineVideo, location, vpaid.
  package var supports: Set<String>
  /// Whether the person confirms storePicture and createCalendarEvent; refusal is an MRAID `error`.
  package var confirms: Bool
  /// What `mraid.getLocation()` answers; nil for -1.
  package var location: JSONValue?

  package init(supports: Set<String>, confirms: Bool = true, location: JSONValue? = nil) {
    self.supports = supports
    self.confirms = confirms
    self.location = location
  }

  /// A phone whose person says yes; in Null Island, where nobody lives.
  package static let phone = Capabilities(
    supports: ["sms", "tel", "calendar", "storePicture", "inlineVideo", "location"],
    location: ["lat": 0, "lon": 0, "type": 1, "accuracy": 10, "lastfix": 0])

  /// Sorted, so that equal devices encode alike.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(supports.sorted(), forKey: .supports)
    try container.encode(confirms, forKey: .confirms)
    try container.encodeIfPresent(location, forKey: .location)
  }

  private enum CodingKeys: String, CodingKey {
    case supports, confirms, location
  }
}

/// Distances from the four edges in dip.
package struct Insets: Hashable, Sendable, Codable {
  package var top: Double
  package var left: Double
  package var bottom: Double
  package var right: Double

  package init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Edge to edge.
  package static let zero = Insets()
}

extension Rect {
  /// What is left inside the insets; never of negative size.
  package func inset(by insets: Insets) -> Rect {
    Rect(
      x: x + insets.left, y: y + insets.top, width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}
