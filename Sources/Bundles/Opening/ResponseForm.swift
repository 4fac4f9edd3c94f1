/// What an ad server's answer is, where it isn't markup.
package enum ResponseForm: String, Hashable, Sendable {
  case vast
  /// An OpenRTB bid response.
  case bid

  /// How the document of a folder or zip is called that has no page of its own.
  static let documentNames = ["ad.xml", "vast.xml", "bid.json"]

  /// Looks at how the text begins: VAST's root element, or an object of JSON; nil for markup and script.
  package init?(_ bytes: [UInt8]) {
    let text = TextEncoding.utf8(Array(bytes.prefix(Self.headLength)))
    if Self.root(of: text).map({ ["vast", "videoadservingtemplate"].contains($0) }) == true {
      self = .vast
    } else if Self.isObject(text) {
      self = .bid
    } else {
      return nil
    }
  }

  /// Comments and declarations may go before the root.
  private static let headLength = 1 << 14

  /// The first element's name in lower case, without a prefix.
  private static func root(of text: [UInt8]) -> String? {
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isHTMLSpace }
      guard rest.first == UInt8(ascii: "<") else { return nil }
      let after = rest.dropFirst()
      if after.starts(with: "!--".utf8) {
        guard let end = after.firstRange(of: Array("-->".utf8)) else { return nil }
        rest = rest[end.upperBound...]
      } else if after.first == UInt8(ascii: "?") || after.first == UInt8(ascii: "!") {
        guard let end = after.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        rest = rest[(end + 1)...]
      } else {
        let name = after.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name, as: UTF8.self).lowercased().split(separator: ":").last.map(String.init)
      }
    }
  }

  /// A brace, and then a member or the end: script that begins with a block doesn't look so.
  private static func isObject(_ text: [UInt8]) -> Bool {
    let start = text.drop { $0.isHTMLSpace }
    guard start.first == UInt8(ascii: "{") else { return false }
    let inside = start.dropFirst().first { !$0.isHTMLSpace }
    return inside == UInt8(ascii: "\"") || inside == UInt8(ascii: "}")
  }
}
