internal import Core
internal import MRAID

/// One member of a bid response and the way down to it, for errors: `seatbid[0].bid[1].price`.
struct BidMember {
  /// Nil where it is missing or null.
  let value: JSONValue?
  let path: String

  init(_ value: JSONValue?, path: String) {
    self.value = value == .null ? nil : value
    self.path = path
  }

  subscript(_ name: String) -> BidMember {
    var member: JSONValue?
    if case .object(let members)? = value { member = members[name] }
    return BidMember(member, path: path.isEmpty ? name : "\(path).\(name)")
  }

  /// Throws where it is anything but an object.
  func object() throws(BidError) -> [String: JSONValue] {
    guard case .object(let members)? = value else { throw wrong("an object") }
    return members
  }

  /// The elements of a list of objects; none where it is missing.
  func elements() throws(BidError) -> [BidMember] {
    guard let value else { return [] }
    guard case .array(let elements) = value else { throw wrong("a list") }
    var members: [BidMember] = []
    for (index, element) in elements.enumerated() {
      let member = BidMember(element, path: "\(path)[\(index)]")
      _ = try member.object()
      members.append(member)
    }
    return members
  }

  /// Text, nil where it is missing or empty; numbers, as many bidders write identifiers, in their shortest form.
  func text() throws(BidError) -> String? {
    switch value {
    case nil: return nil
    case .string(let text): return text.isEmpty ? nil : text
    case .number(let number): return number.plain
    default: throw wrong("text")
    }
  }

  func requiredText() throws(BidError) -> String {
    guard let text = try text() else { throw missing }
    return text
  }

  /// A number; text of a number too, as some bidders write prices.
  func number() throws(BidError) -> Double? {
    switch value {
    case nil: return nil
    case .number(let number) where Bounded.plausible.contains(number): return number
    case .number: throw wrong("a number below 1e12")
    case .string(let text):
      guard let number = Bounded.decimal(text) else { throw wrong("a number") }
      return number
    default: throw wrong("a number")
    }
  }

  func requiredNumber() throws(BidError) -> Double {
    guard let number = try number() else { throw missing }
    return number
  }

  func integer() throws(BidError) -> Int? {
    guard let number = try number() else { return nil }
    guard let integer = Int(exactly: number) else { throw wrong("a whole number") }
    return integer
  }

  func integers() throws(BidError) -> [Int]? {
    guard let value else { return nil }
    guard case .array(let elements) = value else { throw wrong("a list") }
    var numbers: [Int] = []
    for (index, element) in elements.enumerated() {
      guard let number = try BidMember(element, path: "\(path)[\(index)]").integer() else { continue }
      numbers.append(number)
    }
    return numbers
  }

  /// Texts of a list, or the one text where there is no list.
  func texts() throws(BidError) -> [String] {
    guard case .array(let elements)? = value else { return try text().map { [$0] } ?? [] }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      if let text = try BidMember(element, path: "\(path)[\(index)]").text() { texts.append(text) }
    }
    return texts
  }

  private var missing: BidError { BidError("bid-invalid", "\(path) is missing") }

  private func wrong(_ wanted: String) -> BidError {
    let place = path.isEmpty ? "the response" : path
    return BidError("bid-invalid", value == nil ? "\(place) is missing" : "\(place) isn't \(wanted)")
  }
}
