/// What a form says of one of its fields before the field itself.
package struct FormHead: Hashable, Sendable {
  package var name: String
  /// What the sender's file was called; nil for a plain field.
  package var fileName: String?

  package init(name: String, fileName: String? = nil) { (self.name, self.fileName) = (name, fileName) }

  /// Reads the lines before an empty one.
  init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
    var parameters: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else {
        throw FormScanner.malformed("the head of a field isn't readable")
      }
      guard line[..<colon].lowercased() == "content-disposition" else { continue }
      parameters = Self.parameters(String(line[line.index(after: colon)...]))
    }
    guard let name = parameters["name"] else { throw FormScanner.malformed("a field has no name") }
    (self.name, fileName) = (name, parameters["filename"])
  }

  /// `name=value` pairs behind the semicolons; quoted values with browsers' escapes.
  static func parameters(_ text: String) -> [String: String] {
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
}
