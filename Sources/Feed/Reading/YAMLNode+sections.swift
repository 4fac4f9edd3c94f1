internal import Core
internal import Jobs
internal import MRAID

extension YAMLNode {
  /// A whole number between two bounds, both included.
  func wholeNumber(_ what: String, in range: ClosedRange<Int>) throws(Fault) -> Int {
    let value = try number(what, in: Double(range.lowerBound)...Double(range.upperBound))
    guard let whole = Int(exactly: value) else { throw fault("\(what) must be a whole number, found \(value.plain)") }
    return whole
  }

  /// A list of texts that has at least one.
  func texts(_ what: String) throws(Fault) -> [String] {
    guard let elements, !elements.isEmpty else { throw fault("\(what) must be a list, found \(kind)") }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else { throw element.fault("\(what) must be texts, found \(element.kind)") }
      texts.append(text)
    }
    return texts
  }

  func bool(_ what: String) throws(Fault) -> Bool {
    guard case .bool(let value) = scalar else { throw fault("\(what) must be true or false, found \(kind)") }
    return value
  }

  /// A word that may look like a number, as versions do.
  func word(_ what: String) throws(Fault) -> String {
    guard let text, !text.isEmpty else { throw fault("\(what) must be text, found \(kind)") }
    return text
  }

  /// `300x250` in dip, each side 1–2000.
  func size(_ what: String) throws(Fault) -> Size {
    let sides = (text ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy((1...2_000).contains) else {
      throw fault("\(what) must be like 300x250, each side from 1 to 2000")
    }
    return Size(width: Double(sides[0]), height: Double(sides[1]))
  }
}
