package import Core

/// Settings of a page's viewport meta element, as WebKit on a phone understands them.
///
/// https://www.w3.org/TR/css-viewport-1/#viewport-meta
package struct Viewport: Hashable, Sendable {
  private enum Width: Hashable {
    case deviceWidth, deviceHeight
    case fixed(Double)
  }

  private var width: Width?
  private var initialScale: Double?
  private var minimumScale = Self.leastScale
  private var maximumScale = Self.mostScale

  /// Smallest and largest scale of a page that sets no others.
  private static let leastScale = 0.25
  private static let mostScale = 5.0

  /// The settings of a page without the element: it is laid out at its view's width, as SDKs ensure.
  package init() {}

  /// Reads a meta element's content; values that can't be understood are ignored.
  package init(content: String) {
    for (name, value) in Self.pairs(of: content) {
      switch name {
      case "width": width = Self.width(value) ?? width
      case "initial-scale": initialScale = Self.scale(value) ?? initialScale
      case "minimum-scale": minimumScale = Self.scale(value) ?? minimumScale
      case "maximum-scale": maximumScale = Self.scale(value) ?? maximumScale
      default: break
      }
    }
    maximumScale = max(minimumScale, maximumScale)
  }

  /// Initial ratio of a page's drawn size to its layout, in a view of this size in dip.
  ///
  /// A page is laid out at the width that then fills the view. A page that is wider at its initial scale would be
  /// panned on a phone; here it is laid out at the visible width.
  package func scale(in view: Size) -> Double {
    guard view.width >= 1, view.height >= 1 else { return 1 }
    let wanted: Double =
      switch (width, initialScale) {
      case (nil, let initial?): initial
      case (let width?, let initial?): max(initial, view.width / pixels(of: width, in: view))
      case (let width?, nil): view.width / pixels(of: width, in: view)
      case (nil, nil): 1
      }
    return min(max(wanted, minimumScale), maximumScale)
  }

  private func pixels(of width: Width, in view: Size) -> Double {
    switch width {
    case .deviceWidth: view.width
    case .deviceHeight: view.height
    case .fixed(let pixels): pixels
    }
  }

  /// Names in lower case with their values, both cut at the same places as in a browser.
  private static func pairs(of content: String) -> [(name: String, value: String)] {
    content.prefix(longest).lowercased().split { $0 == "," || $0 == ";" }.compactMap { part in
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.split(whereSeparator: \.isWhitespace) }
      guard sides.count == 2, let name = sides[0].last, let value = sides[1].first else { return nil }
      return (String(name), String(value))
    }
  }

  private static let longest = 1_000

  private static func width(_ value: String) -> Width? {
    switch value {
    case "device-width": .deviceWidth
    case "device-height": .deviceHeight
    default: number(value).map { .fixed(min(max($0, 1), 10_000)) }
    }
  }

  /// A scale that a page requests, limited to 0.1 to 10; `yes` and the device's sides mean the same as in WebKit.
  private static func scale(_ value: String) -> Double? {
    switch value {
    case "yes": 1
    case "device-width", "device-height": 10
    default: number(value).map { min(max($0, 0.1), 10) }
    }
  }

  /// The number at the beginning of a value; nil unless it is above 0.
  private static func number(_ value: String) -> Double? {
    let digits = value.prefix { $0.isASCII && $0.isNumber || $0 == "." }.prefix(20)
    return Double(digits).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }
}
