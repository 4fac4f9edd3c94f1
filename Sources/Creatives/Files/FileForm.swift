internal import Core

/// What a file holds, as far as its name and first bytes tell.
enum FileForm: Equatable {
  case html
  case zip
  /// Markup or script without a document around it, as ad servers deliver it.
  case text

  /// Bytes looked at.
  private static let headLength = 4096

  /// Throws `creative-empty`, or `creative-unrecognized` for a file that is neither markup nor a zip.
  static func of(_ file: borrowing OpenFile) throws(Fault) -> FileForm {
    let head = try file.head(headLength)
    guard !head.isEmpty else { throw .creative("creative-empty", "\(file.name.printable) is empty") }
    let fileExtension = AbsolutePath.stem(file.path).fileExtension
    if fileExtension == "zip" || hasZipMagic(head) { return .zip }
    if fileExtension == "html" || fileExtension == "htm" { return .html }
    guard !head.contains(0) || ByteOrderMark.of(head) != nil else {
      throw .request("creative-unrecognized", "\(file.name.printable) is neither markup nor a zip nor a folder")
    }
    return .text
  }

  /// Whether an archive starts here: with a first entry, or as an empty archive.
  private static func hasZipMagic(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }
}

/// What an ad server's answer is, where it isn't markup.
package enum ResponseForm: String, Hashable, Sendable {
  case vast
  /// A schedule of video ads.
  case vmap
  /// An OpenRTB bid response, or a native ad alone.
  case bid

  /// How the document of a folder or zip is called that has no page of its own.
  static let documentNames = ["ad.xml", "vast.xml", "vmap.xml", "bid.json"]

  /// Looks at how the text begins: the root element of VAST or VMAP, or an object of JSON; nil for markup and script.
  package init?(_ bytes: [UInt8]) {
    let text = Self.head(bytes)
    let root = Self.root(of: text)
    if root.map({ ["vast", "videoadservingtemplate"].contains($0) }) == true {
      self = .vast
    } else if root == "vmap" {
      self = .vmap
    } else if Self.isObject(text) {
      self = .bid
    } else {
      return nil
    }
  }

  /// Comments and declarations may go before the root.
  private static let headLength = 1 << 14

  /// Why a file that claims to be XML is no creative, by its name or its first line; nil for what may be one.
  static func problem(with bytes: [UInt8], isNamedXML: Bool) -> String? {
    let text = head(bytes)
    guard isNamedXML || text.drop(while: \.isHTMLSpace).starts(with: "<?xml".utf8) else { return nil }
    guard let root = root(of: text) else { return "it has no element that could be a document's first" }
    guard root != "html", root != "svg" || isNamedXML else { return nil }
    return "its first element is <\(root.prefix(40))>"
  }

  private static func head(_ bytes: [UInt8]) -> [UInt8] { TextEncoding.utf8(Array(bytes.prefix(headLength))) }

  /// The first element's name in lower case, without a prefix; a document type with contents of its own says it too.
  private static func root(of text: [UInt8]) -> String? {
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isHTMLSpace }
      guard rest.first == UInt8(ascii: "<") else { return nil }
      let after = rest.dropFirst()
      if after.starts(with: "!--".utf8) {
        guard let end = after.firstRange(of: Array("-->".utf8)) else { return nil }
        rest = rest[end.upperBound...]
      } else if let name = doctype(after) {
        return name
      } else if after.first == UInt8(ascii: "?") || after.first == UInt8(ascii: "!") {
        guard let end = after.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        rest = rest[(end + 1)...]
      } else {
        let name = after.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name, as: UTF8.self).lowercased().split(separator: ":").last.map(String.init)
      }
    }
  }

  /// The name in `!DOCTYPE name […`, whose contents are for an XML reader to refuse; nil for any other declaration.
  private static func doctype(_ text: ArraySlice<UInt8>) -> String? {
    let head = text.prefix(256).prefix { $0 != UInt8(ascii: ">") }
    guard String(decoding: head.prefix(8), as: UTF8.self).uppercased() == "!DOCTYPE",
      head.contains(UInt8(ascii: "["))
    else { return nil }
    let name = head.dropFirst(8).drop(while: \.isHTMLSpace).prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: "[") }
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  /// A brace, and then a member or the end: script that begins with a block doesn't look so.
  private static func isObject(_ text: [UInt8]) -> Bool {
    let start = text.drop { $0.isHTMLSpace }
    guard start.first == UInt8(ascii: "{") else { return false }
    let inside = start.dropFirst().first { !$0.isHTMLSpace }
    return inside == UInt8(ascii: "\"") || inside == UInt8(ascii: "}")
  }
}
