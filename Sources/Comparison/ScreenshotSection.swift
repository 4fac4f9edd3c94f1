internal import Core
internal import FoundationEssentials
internal import Pixels

/// Section of a page about a picture that differs, with both sides.
struct ScreenshotSection {
  private let screenshot: ScreenshotVerdict
  private let sides: PageSides

  init(_ screenshot: ScreenshotVerdict, sides: PageSides) { (self.screenshot, self.sides) = (screenshot, sides) }

  func write(_ screenshots: inout EmbeddedImages, to put: (Markup) throws(Fault) -> Void) throws(Fault) {
    try put(
      "<article class=\"picture\"><h3>\(DiffPage.text(screenshot.name))</h3>\n<p>\(facts)</p>\n<div class=\"views\">\n")
    let views = [
      ("first", DiffPage.text(sides.first), screenshot.first),
      ("highlight", "differences", screenshot.written["highlight"]),
      ("second", DiffPage.text(sides.second), screenshot.second),
    ]
    for (name, caption, path) in views {
      guard let path else { continue }
      if let address = screenshots.address(of: path) {
        let label = "\(DiffPage.text(screenshot.name)), \(caption)"
        try put("<figure class=\"\(name)\"><figcaption>\(caption)</figcaption>")
        try put("<img alt=\"\(label)\" src=\"\(Markup(raw: address))\"></figure>\n")
      } else {
        try put("<p class=\"faint\">\(caption): \(DiffPage.text(path)) isn't shown: unreadable or too large</p>\n")
      }
    }
    try put("</div></article>\n")
  }

  private var facts: Markup {
    var facts: [Markup] = ["<span class=\"bad\">\(screenshot.verdict.rawValue)</span>"]
    if let difference = screenshot.difference {
      if difference.sizesDiffer { facts.append("\(Self.text(difference.first)) → \(Self.text(difference.second))") }
      facts.append("\(difference.differingCount) of \(difference.size.area) pixels")
      let regions = difference.regions.count { $0.shift == nil }
      facts.append(regions == 1 ? "1 region" : "\(regions) regions")
      if difference.antialiasedCount > 0 { facts.append("\(difference.antialiasedCount) anti-aliased") }
      if difference.shiftedCount > 0 { facts.append("\(difference.shiftedCount) moved") }
    }
    if let problem = screenshot.problem { facts.append("\(DiffPage.text(problem))") }
    return Markup(joining: facts, separator: ", ")
  }

  private static func text(_ size: PixelSize) -> String { "\(size.width)×\(size.height)" }
}

/// Encodes pictures as data URLs until the page's limit is reached.
struct EmbeddedImages {
  private var left: Int
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(limit: Int) { left = limit }

  /// Returns the picture as a data URL; nil if the file can't be read, is no PNG, or exceeds the bytes that are left.
  mutating func address(of path: String) -> String? {
    guard let bytes = try? FileReading.regular(path, most: left, followsLinks: false),
      bytes.starts(with: Self.signature)
    else { return nil }
    left -= bytes.count
    return "data:image/png;base64," + Data(bytes).base64EncodedString()
  }
}
