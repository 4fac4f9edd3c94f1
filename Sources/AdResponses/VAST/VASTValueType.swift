/// Type that a schema requires for the text of an attribute or element.
enum VASTValueType: Hashable, Sendable {
  case integer, decimal, boolean, currency
  /// `HH:MM:SS`, with or without a fraction.
  case time
  /// `HH:MM:SS`, with or without thousandths, or a percentage.
  case offset
  /// Dip from the left, or a side; `vertical` likewise from the top.
  case horizontal, vertical
  /// Address; it may contain macros.
  case address
  case words([String])

  /// Creates the type by its name in a table; allowed words are separated by slashes.
  init?(_ name: Substring) {
    switch name {
    case "integer": self = .integer
    case "decimal": self = .decimal
    case "boolean": self = .boolean
    case "currency": self = .currency
    case "time": self = .time
    case "offset": self = .offset
    case "horizontal": self = .horizontal
    case "vertical": self = .vertical
    case "address": self = .address
    case let words where words.contains("/"): self = .words(words.split(separator: "/").map { String($0) })
    default: return nil
    }
  }

  /// Indicates that the text is valid for this type.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .address: Self.isAddress(text)
    case .words(let words): words.contains(text)
    // What is longer is none of these, whatever it is made of.
    default: text.utf8.count <= 64 && isOfForm(text)
    }
  }

  private func isOfForm(_ text: String) -> Bool {
    switch self {
    case .integer: text.wholeMatch(of: /[+\-]?[0-9]+/) != nil
    case .decimal: text.wholeMatch(of: /[+\-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)/) != nil
    case .boolean: ["true", "false", "1", "0"].contains(text)
    case .currency: text.wholeMatch(of: /[a-zA-Z]{3}/) != nil
    case .time: text.wholeMatch(of: /(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?/) != nil
    case .offset:
      text.wholeMatch(of: /[0-9]{2}:[0-5][0-9]:[0-5][0-9](?:\.[0-9]{3})?/) != nil
        || text.wholeMatch(of: /1?[0-9]?[0-9](?:\.?[0-9])*%/) != nil
    case .horizontal: text.wholeMatch(of: /[0-9]*|left|right/) != nil
    case .vertical: text.wholeMatch(of: /[0-9]*|top|bottom/) != nil
    case .address, .words: true
    }
  }

  /// Name of the type for remarks on a text that doesn't match it.
  var name: String {
    switch self {
    case .integer: "a whole number"
    case .decimal: "a number"
    case .boolean: "true or false"
    case .currency: "a currency of three letters"
    case .time: "HH:MM:SS"
    case .offset: "HH:MM:SS or a percentage"
    case .horizontal: "a number, left or right"
    case .vertical: "a number, top or bottom"
    case .address: "an address"
    case .words(let words): words.count > 8 ? "one of its \(words.count) words" : words.joined(separator: ", ")
    }
  }

  /// Indicates that brackets in the host of an address are balanced; other parts differ by server and aren't checked.
  private static func isAddress(_ text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://") else { return true }
    let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return authority.contains("[") == authority.contains("]")
  }
}
