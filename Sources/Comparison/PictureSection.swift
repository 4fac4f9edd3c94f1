internal import Core
internal import FoundationEssentials
internal import Pixels

/// A picture that differs, on both sides.
struct PictureSection {
  private let picture: PictureVerdict
  private let sides: PageSides

  init(_ picture: PictureVerdict, sides: PageSides) { (self.picture, self.sides) = (picture, sides) }

  func write(_ pictures: inout EmbeddedPictures, to sink: DiffPage.Sink) throws(Fault) {
    try sink(
      "<article class=\"picture\"><h3>\(DiffPage.text(picture.name))</h3>\n<p>\(facts)</p>\n<div class=\"views\">\n")
    let views = [
      ("first", DiffPage.text(sides.first), picture.first), ("highlight", "what differs", picture.written["highlight"]),
      ("second", DiffPage.text(sides.second), picture.second),
    ]
    for (name, caption, path) in views {
      guard let path else { continue }
      if let address = pictures.address(of: path) {
        let label = "\(DiffPage.text(picture.name)), \(caption)"
        try sink("<figure class=\"\(name)\"><figcaption>\(caption)</figcaption>")
        try sink("<img alt=\"\(label)\" src=\"\(address)\"></figure>\n")
      } else {
        try sink("<p class=\"faint\">\(caption): \(DiffPage.text(path)) isn't shown here: unreadable or too much</p>\n")
      }
    }
    try sink("</div></article>\n")
  }

  private var facts: String {
    var facts = ["<span class=\"bad\">\(picture.verdict.rawValue)</span>"]
    if let difference = picture.difference {
      if difference.sizesDiffer { facts.append("\(Self.text(difference.first)) → \(Self.text(difference.second))") }
      facts.append("\(difference.differingCount) of \(difference.size.area) pixels")
      let regions = difference.regions.count { $0.shift == nil }
      facts.append("\(regions) \(regions == 1 ? "region" : "regions")")
      if difference.antialiasedCount > 0 { facts.append("\(difference.antialiasedCount) anti-aliased") }
      if difference.shiftedCount > 0 { facts.append("\(difference.shiftedCount) moved") }
    }
    if let problem = picture.problem { facts.append(DiffPage.text(problem)) }
    return facts.joined(separator: ", ")
  }

  private static func text(_ size: PixelSize) -> String { "\(size.width)×\(size.height)" }
}

/// Pictures as data addresses, until the page has enough of them.
struct EmbeddedPictures {
  private var left: Int
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(limit: Int) { left = limit }

  /// Nil when the file can't be read or there is no room for it any more.
  mutating func address(of path: String) -> String? {
    guard let bytes = try? ResultFile.read(path), bytes.count <= left, bytes.starts(with: Self.signature)
    else { return nil }
    left -= bytes.count
    return "data:image/png;base64," + bytes.base64EncodedString()
  }
}
