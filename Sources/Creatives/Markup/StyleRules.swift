internal import Core

/// Widths and heights in a style sheet's rules, as far as they apply on every screen; those inside `@media` don't.
struct StyleRules {
  /// Declared length of a side.
  private enum Length: Hashable {
    case pixels(Double)
    /// A share of another length, or one that follows from the content.
    case other
  }

  private struct Rule {
    let selector: Selector
    let sides: [String: Length]
  }

  /// Last compound of a selector, which matches the rule's elements.
  private struct Selector {
    let name: String?
    let id: String?
    let classes: [String]

    var weight: Int { (id == nil ? 0 : 100) + classes.count * 10 + (name == nil ? 0 : 1) }

    func fits(_ tag: HTMLScanner.Tag) -> Bool {
      let own = tag.attributes["class"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
      return (name == nil || name == tag.name) && (id == nil || id == tag.attributes["id"])
        && classes.allSatisfy(own.contains)
    }
  }

  /// Maximum number of rules that are read.
  private static let mostRules = 5_000

  private var rules: [Rule] = []

  init(_ sheet: [UInt8]) {
    let bytes = Self.withoutComments(sheet)
    var start = 0
    while rules.count < Self.mostRules, let stop = Self.find("{};", in: bytes, from: start) {
      let head = HTMLText.trim(String(decoding: bytes[start..<stop], as: UTF8.self))
      start = stop + 1
      guard bytes[stop] == UInt8(ascii: "{") else { continue }
      let end = head.hasPrefix("@") ? Self.end(ofBlock: bytes, from: start) : Self.find("}", in: bytes, from: start)
      let body = bytes[start..<(end ?? bytes.count)]
      if !head.hasPrefix("@") { add(head, String(decoding: body, as: UTF8.self)) }
      start = (end ?? bytes.count - 1) + 1
    }
  }

  /// Returns an element's size by its own style, then by these rules, then by its attributes; nil if a side isn't in
  /// pixels.
  func size(of tag: HTMLScanner.Tag) -> Size? {
    var sides: [String: Length] = [:]
    // Of equal weight the later counts.
    let fitting = rules.enumerated().filter { $0.element.selector.fits(tag) }
      .sorted { ($0.element.selector.weight, $0.offset) < ($1.element.selector.weight, $1.offset) }
    for (_, rule) in fitting { sides.merge(rule.sides) { $1 } }
    sides.merge(Self.sides(HTMLText.decode(tag.attributes["style"] ?? ""))) { $1 }
    guard let width = side("width", sides, tag), let height = side("height", sides, tag) else { return nil }
    return Size(width: width, height: height)
  }

  /// Elements whose `width` and `height` attributes are lengths.
  private static let replaced: Set<String> = ["canvas", "img", "svg", "iframe", "embed", "object", "video"]

  private func side(_ name: String, _ sides: [String: Length], _ tag: HTMLScanner.Tag) -> Double? {
    switch sides[name] {
    case .pixels(let length): length
    case .other: nil
    case nil: Self.replaced.contains(tag.name) ? tag.attributes[name].flatMap { Self.pixels($0, unit: "") } : nil
    }
  }

  private mutating func add(_ selectors: String, _ declarations: String) {
    let sides = Self.sides(declarations)
    guard !sides.isEmpty else { return }
    for text in selectors.split(separator: ",") {
      if let selector = Self.selector(text) { rules.append(Rule(selector: selector, sides: sides)) }
    }
  }

  /// Reads a selector; nil for one that depends on more than name, id and classes.
  private static func selector(_ text: Substring) -> Selector? {
    guard let compound = text.split(whereSeparator: { $0.isWhitespace || ">+~".contains($0) }).last,
      !compound.contains(where: { ":[*".contains($0) })
    else { return nil }
    var (name, id, classes) = (String?.none, String?.none, [String]())
    var rest = compound[...]
    while let first = rest.first {
      let mark = "#.".contains(first) ? first : nil
      if mark != nil { rest.removeFirst() }
      let word = String(rest.prefix { !"#.".contains($0) })
      guard !word.isEmpty else { return nil }
      switch mark {
      case "#": id = word
      case ".": classes.append(word)
      default: name = word.lowercased()
      }
      rest = rest.dropFirst(word.count)
    }
    return Selector(name: name, id: id, classes: classes)
  }

  /// Returns the width and height in declarations; the last of each counts.
  private static func sides(_ declarations: String) -> [String: Length] {
    var sides: [String: Length] = [:]
    for declaration in declarations.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1).map { HTMLText.trim(String($0)).lowercased() }
      guard parts.count == 2, parts[0] == "width" || parts[0] == "height" else { continue }
      let value = HTMLText.trim(parts[1].replacing("!important", with: ""))
      sides[parts[0]] = pixels(value, unit: "px").map { .pixels($0) } ?? .other
    }
    return sides
  }

  private static func pixels(_ text: String, unit: String) -> Double? {
    let number = text.hasSuffix("px") ? String(text.dropLast(2)) : unit.isEmpty ? text : ""
    return Bounded.decimal(HTMLText.trim(number), in: 0...10_000)
  }

  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var (kept, rest) = ([UInt8](), bytes[...])
    while let start = rest.firstRange(of: Array("/*".utf8)) {
      kept += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstRange(of: Array("*/".utf8)) else { return kept }
      rest = rest[end.upperBound...]
    }
    return kept + rest
  }

  private static func find(_ wanted: String, in bytes: [UInt8], from start: Int) -> Int? {
    bytes[start...].firstIndex { wanted.utf8.contains($0) }
  }

  /// Returns the end of a block that contains further blocks; nil if it has none.
  private static func end(ofBlock bytes: [UInt8], from start: Int) -> Int? {
    var (depth, position) = (1, start)
    while let brace = find("{}", in: bytes, from: position) {
      depth += bytes[brace] == UInt8(ascii: "{") ? 1 : -1
      if depth == 0 { return brace }
      position = brace + 1
    }
    return nil
  }
}
