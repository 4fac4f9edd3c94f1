/// Takes a `multipart/form-data` body apart, by RFC 7578 and RFC 2046.
package enum MultipartParser {
  /// Fields a form may have.
  static let mostParts = 60
  /// Bytes the headers of a part may have.
  static let longestHead = 16_384

  /// The boundary that a content type names; nil when it is another type or names none.
  package static func boundary(ofContentType type: String) -> String? {
    let parts = type.split(separator: ";")
    guard parts.first?.trimmingSpaces.lowercased() == "multipart/form-data" else { return nil }
    let value = parameters(type)["boundary"]
    guard let value, (1...70).contains(value.utf8.count) else { return nil }
    return value
  }

  /// The fields in their order.
  package static func parse(_ body: [UInt8], boundary: String) throws(Problem) -> [MultipartPart] {
    let mark = Array("\r\n--\(boundary)".utf8)
    // The first boundary may stand at the very beginning.
    var rest = ([13, 10] + body)[...]
    var parts: [MultipartPart] = []
    guard let start = find(mark, in: rest) else { throw malformed("its boundary is nowhere") }
    rest = rest[(start + mark.count)...]
    while !rest.starts(with: "--".utf8) {
      guard parts.count < mostParts else { throw malformed("it has more than \(mostParts) fields") }
      rest = rest.drop { $0 == 32 || $0 == 9 }
      guard rest.starts(with: [13, 10]) else { throw malformed("a boundary isn't followed by a line end") }
      rest = rest.dropFirst(2)
      guard let end = find(mark, in: rest) else { throw malformed("its last boundary is missing") }
      parts.append(try part(rest[..<end]))
      rest = rest[(end + mark.count)...]
    }
    return parts
  }

  private static func part(_ bytes: ArraySlice<UInt8>) throws(Problem) -> MultipartPart {
    guard let split = find([13, 10, 13, 10], in: bytes.prefix(longestHead)) else {
      throw malformed("the head of a field has no end")
    }
    let head = String(decoding: bytes[bytes.startIndex..<split], as: UTF8.self)
    var name: String?
    var part = MultipartPart(name: "", body: bytes[(split + 4)...])
    for line in head.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { throw malformed("the head of a field isn't readable") }
      let value = String(line[line.index(after: colon)...])
      switch line[..<colon].lowercased() {
      case "content-disposition":
        let parameters = parameters(value)
        (name, part.fileName) = (parameters["name"], parameters["filename"])
      case "content-type": part.contentType = String(value.trimmingSpaces)
      default: break
      }
    }
    guard let name else { throw malformed("a field has no name") }
    part.name = name
    return part
  }

  /// `name=value` pairs behind the semicolons; quoted values with browsers' escapes.
  private static func parameters(_ text: String) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text[...]
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { break }
      let name = rest[..<equals].lowercased()
      rest = rest[rest.index(after: equals)...]
      let value: String
      if rest.first == "\"" {
        (value, rest) = quoted(rest.dropFirst())
      } else {
        let end = rest.firstIndex(of: ";") ?? rest.endIndex
        (value, rest) = (String(rest[..<end].trimmingSpaces), rest[end...])
      }
      found[name] = found[name] ?? value
    }
    return found
  }

  private static func quoted(_ text: Substring) -> (String, Substring) {
    var value = ""
    var rest = text
    while let next = rest.popFirst(), next != "\"" {
      if next == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(next) }
    }
    return (value.replacing("%22", with: "\""), rest)
  }

  private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = needle.first, bytes.count >= needle.count else { return nil }
    var index = bytes.startIndex
    let last = bytes.endIndex - needle.count
    while index <= last {
      guard let next = bytes[index...last].firstIndex(of: first) else { return nil }
      if bytes[next..<(next + needle.count)].elementsEqual(needle) { return next }
      index = next + 1
    }
    return nil
  }

  private static func malformed(_ why: String) -> Problem {
    Problem(400, "form-invalid", "the form can't be read: \(why)")
  }
}
