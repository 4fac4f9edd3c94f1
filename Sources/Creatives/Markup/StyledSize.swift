internal import Core
internal import RenderModel

/// Size of a document's body or first element by its styles, before anything runs.
enum StyledSize {
  /// Number of bytes that are searched in the document, and that are read of its style sheets.
  private static let (scanned, longestStyles) = (1 << 18, 1 << 18)
  /// Maximum number of elements in the body that are searched for a size, as wrappers of an ad often have none.
  private static let mostElements = 3
  /// Elements that may be mere containers of others.
  private static let wrappers: Set<String> = ["a", "div", "main", "section", "article", "center", "span", "form"]
  /// Elements that aren't drawn.
  private static let undrawn: Set<String> = [
    "html", "head", "body", "script", "style", "link", "meta", "title", "base", "noscript", "template", "br",
  ]
  /// Minimum side of an element that counts as the whole ad, and formats of smaller ads.
  private static let leastSide = 120.0
  private static let smallFormats: Set<Size> = {
    let sides: [(Double, Double)] = [
      (728, 90), (970, 90), (468, 60), (320, 50), (320, 100), (300, 50), (300, 100), (234, 60), (980, 90), (88, 31),
      (120, 60), (120, 90), (216, 36), (168, 28), (1024, 90), (950, 90),
    ]
    return Set(sides.map { Size(width: $0.0, height: $0.1) })
  }()

  /// - Parameter file: returns a file of the creative by its address; nil for none.
  static func clue(of html: [UInt8], file: (String) -> [UInt8]?) -> SizeClue? {
    var (styles, elements, body) = ([UInt8](), [HTMLScanner.Tag](), HTMLScanner.Tag?.none)
    var scanner = HTMLScanner(TextEncoding.utf8(Array(html.prefix(scanned))), keepsStyles: true)
    while elements.count < mostElements, let token = scanner.next() {
      guard case .tag(let tag) = token else { continue }
      if tag.name == "style", let text = tag.text { styles += Array(text.utf8.prefix(longestStyles)) }
      if let address = styleSheet(tag), let sheet = file(address) { styles += sheet.prefix(longestStyles) }
      if tag.name == "body" { body = body ?? tag }
      if !undrawn.contains(tag.name), !isPixel(tag) { elements.append(tag) }
    }
    let rules = StyleRules(Array(styles.prefix(longestStyles)))
    if let size = rules.size(of: body ?? HTMLScanner.Tag(name: "body", attributes: [:])) {
      return plausible(size).map { SizeClue(size: $0, source: .body) }
    }
    for element in elements {
      if let size = rules.size(of: element) {
        guard isAd(size) else { return nil }
        return plausible(size).map { SizeClue(size: $0, source: .element) }
      }
      if !wrappers.contains(element.name) { return nil }
    }
    return nil
  }

  private static func styleSheet(_ tag: HTMLScanner.Tag) -> String? {
    guard tag.name == "link", tag.attributes["rel"]?.lowercased().split(separator: " ").contains("stylesheet") == true,
      let address = tag.attributes["href"].map(HTMLText.decode), !address.contains(":"), !address.hasPrefix("//")
    else { return nil }
    return address
  }

  /// Indicates if an element is a counting pixel.
  private static func isPixel(_ tag: HTMLScanner.Tag) -> Bool {
    tag.name == "img" && ["0", "1"].contains(tag.attributes["width"]) && ["0", "1"].contains(tag.attributes["height"])
  }

  private static func isAd(_ size: Size) -> Bool {
    min(size.width, size.height) >= leastSide || smallFormats.contains(size)
  }

  private static func plausible(_ size: Size) -> Size? {
    min(size.width, size.height) >= 20 ? CreativeMeta(size: size).size : nil
  }
}
