internal import Core
internal import FoundationEssentials

/// Form of a file's content, judged by its name and first bytes.
enum FileForm: Equatable {
  case html
  case zip
  /// Markup or script without a document around it, as ad servers deliver it.
  case text

  /// Number of bytes examined.
  private static let headLength = 4096

  /// Determines the form; throws `creative-empty`, or `creative-unrecognized` for a file that is neither markup nor a
  /// zip.
  static func of(_ file: borrowing OpenFile) throws(Fault) -> FileForm {
    let head = try file.head(headLength)
    guard !head.isEmpty else { throw .creative("creative-empty", "\(file.name.printable) is empty") }
    let fileExtension = AbsolutePath.stem(file.path).fileExtension
    if fileExtension == "zip" || hasZipMagic(head) { return .zip }
    if fileExtension == "html" || fileExtension == "htm" { return .html }
    guard !head.contains(0) || ByteOrderMark.of(head) != nil else {
      throw .request("creative-unrecognized", "\(file.name.printable) isn't markup, a zip or a folder")
    }
    return .text
  }

  /// Indicates if the bytes begin an archive: with a first entry, or as an empty archive.
  private static func hasZipMagic(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }
}

/// Form of an ad server's answer, other than markup.
package enum ResponseForm: String, Hashable, Sendable {
  case vast
  /// A schedule of video ads.
  case vmap
  /// An OpenRTB bid response, or a native ad alone.
  case bid

  /// Names of the document in a folder or zip that has no page of its own.
  static let documentNames = ["ad.xml", "vast.xml", "vmap.xml", "bid.json"]

  /// Determines the form by the text's beginning: the root element of VAST or VMAP, or a JSON object; nil for markup
  /// and script.
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

  /// Indicates if JSON is an OpenRTB bid response or a native ad, rather than any other data.
  static func isBid(_ bytes: [UInt8]) -> Bool {
    guard isObject(head(bytes)), let root = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
      return false
    }
    return root["seatbid"] != nil || root["native"]?["assets"] != nil || (root["assets"] != nil && root["link"] != nil)
  }

  /// Number of bytes searched for the root, which may follow comments and declarations.
  private static let headLength = 1 << 14

  /// Returns the reason why a file that claims to be XML, by its name or first line, is no creative; nil if it may be
  /// one.
  static func problem(with bytes: [UInt8], isNamedXML: Bool) -> String? {
    let text = head(bytes)
    guard isNamedXML || text.drop(while: \.isHTMLSpace).starts(with: "<?xml".utf8) else { return nil }
    guard let root = root(of: text) else { return "it has no root element" }
    guard root != "html", root != "svg" || isNamedXML else { return nil }
    return "its root element is <\(root.prefix(40))>"
  }

  private static func head(_ bytes: [UInt8]) -> [UInt8] { TextEncoding.utf8(Array(bytes.prefix(headLength))) }

  /// Returns the first element's name in lower case, without a prefix.
  ///
  /// A document type with contents of its own gives the name too.
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

  /// Returns the name in `!DOCTYPE name […`, whose contents are left for an XML reader to refuse; nil for any other
  /// declaration.
  private static func doctype(_ text: ArraySlice<UInt8>) -> String? {
    let head = text.prefix(256).prefix { $0 != UInt8(ascii: ">") }
    guard String(decoding: head.prefix(8), as: UTF8.self).uppercased() == "!DOCTYPE",
      head.contains(UInt8(ascii: "["))
    else { return nil }
    let name = head.dropFirst(8).drop(while: \.isHTMLSpace).prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: "[") }
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Indicates if the text starts with a brace and then a member or the end, unlike script that begins with a block.
  private static func isObject(_ text: [UInt8]) -> Bool {
    let start = text.drop { $0.isHTMLSpace }
    guard start.first == UInt8(ascii: "{") else { return false }
    let inside = start.dropFirst().first { !$0.isHTMLSpace }
    return inside == UInt8(ascii: "\"") || inside == UInt8(ascii: "}")
  }
}
