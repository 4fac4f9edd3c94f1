package import Core

/// Properties that a creative's document declares in its first 64 KB.
package struct CreativeMeta: Hashable, Sendable, Codable {
  package enum Orientation: String, Sendable, Codable, CaseIterable {
    case portrait, landscape
  }

  /// Size of `ad.size` in dip: `<meta name="ad.size" content="width=320,height=50">`; nil if it isn't declared or
  /// plausible.
  package let size: Size?
  /// Orientations of `ad.orientation`; empty if it isn't declared, both if both are allowed.
  package let orientations: Set<Orientation>
  /// Title as one line without control characters, at most 200 characters; nil if there is none.
  package let title: String?
  /// Declared charset in lower case, which needn't be correct; nil if there is none.
  package let charset: String?

  /// Number of bytes of the document that are searched.
  private static let scanned = 1 << 16
  private static let longestTitle = 200
  private static let largestSide = 10_000.0
  /// Maximum area in square dip: more than any screen's, and within a view's memory at four pixels per dip.
  private static let largestArea = 4_000_000.0

  package init(
    size: Size? = nil, orientations: Set<Orientation> = [], title: String? = nil, charset: String? = nil
  ) {
    self.size = size.flatMap { Self.isPlausible($0) ? $0 : nil }
    self.orientations = orientations
    self.title = title
    self.charset = charset
  }

  /// Indicates if a size is possible for an ad; a larger one is treated like no declaration.
  private static func isPlausible(_ size: Size) -> Bool {
    (0...largestSide).contains(size.width) && (0...largestSide).contains(size.height) && size.area <= largestArea
  }

  /// Reads a document and never fails: unreadable values are nil, and of repeated declarations the first counts.
  package static func parse(_ html: [UInt8]) -> CreativeMeta {
    var scanner = HTMLScanner(TextEncoding.utf8(Array(html.prefix(scanned))))
    var size: Size?
    var orientations: Set<Orientation> = []
    var title: String?
    var charset: String?
    while let token = scanner.next() {
      guard case .tag(let tag) = token else { continue }
      if tag.name == "title", title == nil { title = tag.text.flatMap(parseTitle) }
      guard tag.name == "meta" else { continue }
      let content = HTMLText.decode(tag.attributes["content"] ?? "")
      switch HTMLText.trim(tag.attributes["name"] ?? "").lowercased() {
      case "ad.size": size = size ?? parseSize(content)
      case "ad.orientation" where orientations.isEmpty: orientations = parseOrientations(content)
      default: charset = charset ?? parseCharset(tag.attributes)
      }
    }
    return CreativeMeta(size: size, orientations: orientations, title: title, charset: charset)
  }

  /// Returns the size in the content of an `ad.size` element; nil if an ad can't have it.
  package static func size(_ content: String) -> Size? { CreativeMeta(size: parseSize(content)).size }

  /// Reads `width=320,height=50` in any order, with any spaces, quotes or `px`.
  private static func parseSize(_ content: String) -> Size? {
    var sides: [String: Double] = [:]
    let plain = content.lowercased().filter { !"\"'".contains($0) }
    for part in plain.split(whereSeparator: { ",;".contains($0) }) {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false).map { HTMLText.trim(String($0)) }
      guard pair.count == 2, sides[pair[0]] == nil else { continue }
      let number = pair[1].hasSuffix("px") ? HTMLText.trim(String(pair[1].dropLast(2))) : pair[1]
      guard number.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }) else { continue }
      sides[pair[0]] = Double(number).flatMap { (1...largestSide).contains($0) ? $0 : nil }
    }
    guard let width = sides["width"], let height = sides["height"] else { return nil }
    return Size(width: width, height: height)
  }

  private static func parseOrientations(_ content: String) -> Set<Orientation> {
    let words = content.lowercased().split { !$0.isLetter }
    return Set(words.compactMap { Orientation(rawValue: String($0)) })
  }

  private static func parseTitle(_ text: String) -> String? {
    // What steers a terminal becomes a space, and several are one.
    let line = HTMLText.decode(text).printable.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : String(line.prefix(longestTitle))
  }

  /// Reads the charset of `charset` or `http-equiv="content-type"`; UTF-16 in a tag readable as ASCII can only mean
  /// UTF-8.
  private static func parseCharset(_ attributes: [String: String]) -> String? {
    var label = attributes["charset"]
    if label == nil, HTMLText.trim(attributes["http-equiv"] ?? "").lowercased() == "content-type",
      let range = (attributes["content"] ?? "").lowercased().firstRange(of: "charset=")
    {
      label = String((attributes["content"] ?? "").lowercased()[range.upperBound...].prefix { $0 != ";" })
    }
    guard let label else { return nil }
    let name = HTMLText.trim(label.filter { !"\"'".contains($0) }).lowercased()
    let isLabel = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.:+".utf8.contains($0) }
    guard !name.isEmpty, name.utf8.count <= 40, isLabel else { return nil }
    return name.hasPrefix("utf-16") ? "utf-8" : name
  }
}

/// Reader of a page's `<meta name="…" content="…">` elements.
package enum MetaElements {
  /// Number of bytes of the document that are searched.
  private static let scanned = 1 << 16

  /// Returns contents by name: names in lower case, contents decoded and trimmed; of equal names the first counts.
  package static func read(_ html: [UInt8]) -> [String: String] {
    var scanner = HTMLScanner(TextEncoding.utf8(Array(html.prefix(scanned))))
    var contents: [String: String] = [:]
    while let token = scanner.next() {
      guard case .tag(let tag) = token, tag.name == "meta", let name = tag.attributes["name"] else { continue }
      let key = HTMLText.trim(name).lowercased()
      if contents[key] == nil { contents[key] = HTMLText.trim(HTMLText.decode(tag.attributes["content"] ?? "")) }
    }
    return contents
  }
}

extension BundleResource {
  /// Content of a document's last viewport meta element, as written; nil if there is none or it isn't HTML.
  package var viewport: String? {
    guard mimeType == "text/html" || mimeType == "application/xhtml+xml" else { return nil }
    var scanner = HTMLScanner(TextEncoding.utf8(Array(bytes.prefix(Self.scanned))))
    var content: String?
    while let token = scanner.next() {
      guard case .tag(let tag) = token, tag.name == "meta", let name = tag.attributes["name"],
        HTMLText.trim(name).lowercased() == "viewport"
      else { continue }
      content = HTMLText.decode(tag.attributes["content"] ?? "")
    }
    return content
  }

  /// Number of bytes of a document that are searched.
  private static let scanned = 1 << 20
}

/// Guess, before anything runs, if a page uses 3D transforms or filters its backdrop.
enum DepthHint {
  /// Words as CSS spells them; scripts that spell them differently are detected when a screenshot is taken.
  private static let words = ["rotateX(", "rotateY(", "rotate3d(", "backdrop-filter"].map { Array($0.utf8) }
  private static let matrix = Array("matrix3d(".utf8)
  /// Maximum number of bytes between the brackets of a matrix.
  private static let longestMatrix = 400

  /// Returns true if the text contains one of the words, or a matrix with depth.
  static func isGiven(in text: [UInt8]) -> Bool {
    let begins = words.map { $0[0] }
    return text.withUnsafeBufferPointer { text in
      text.indices.contains { at in
        if begins.contains(text[at]), words.contains(where: { text[at...].starts(with: $0) }) { return true }
        return text[at] == matrix[0] && text[at...].starts(with: matrix)
          && hasDepth(text[at...].dropFirst(matrix.count).prefix(longestMatrix).prefix { $0 != UInt8(ascii: ")") })
      }
    }
  }

  /// Indicates if a matrix moves a box out of its plane or shows it from behind; false for anything but 16 numbers.
  ///
  /// Tools write each transform as a matrix in 3D, such as one of `scale3d()`, which leaves boxes in their plane.
  private static func hasDepth(_ list: some Collection<UInt8>) -> Bool {
    let numbers = String(decoding: Array(list), as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
      .map { Double(HTMLText.trim(String($0))) }
    let m = numbers.compactMap(\.self)
    guard numbers.count == 16, m.count == 16 else { return false }
    return [2, 3, 6, 7, 14].contains { m[$0] != 0 } || m[15] != 1 || m[10] < 0
  }
}

extension CreativeBundle {
  /// Indicates if the document's own text suggests 3D transforms or backdrop filters; false for a URL, which isn't
  /// known.
  package var hintsAtDepth: Bool { entry.map { DepthHint.isGiven(in: $0.bytes) } ?? false }

  /// Returns true if a document's text suggests 3D transforms or backdrop filters.
  package static func hintsAtDepth(_ document: [UInt8]) -> Bool { DepthHint.isGiven(in: document) }
}

/// Decoding of text in titles and attributes.
enum HTMLText {
  private static let named: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "\u{2013}",
    "mdash": "\u{2014}", "copy": "\u{A9}", "reg": "\u{AE}",
  ]
  /// Maximum number of characters between `&` and `;`.
  private static let longestReference = 10

  /// Resolves numeric references and the most common named ones; others stay as written.
  static func decode(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var decoded = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      decoded += rest[..<ampersand]
      rest = rest[rest.index(after: ampersand)...]
      let body = rest.prefix(longestReference + 1).prefix { $0 != ";" && $0 != "&" }
      if body.endIndex < rest.endIndex, rest[body.endIndex] == ";", let character = character(body) {
        decoded += character
        rest = rest[rest.index(after: body.endIndex)...]
      } else {
        decoded += "&"
      }
    }
    return decoded + rest
  }

  /// Removes white space at both ends.
  static func trim(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func character(_ reference: Substring) -> String? {
    guard reference.hasPrefix("#") else { return named[reference] }
    let digits = reference.dropFirst()
    let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
    let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
