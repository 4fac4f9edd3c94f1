internal import Core
internal import Glibc
internal import Scheduling

/// Reads a form as it arrives: files are written to the disk, other fields kept in memory, within a limit.
struct FormReader {
  /// Maximum number of bytes of all fields together that aren't files.
  private static let mostInMemory = 1_000_000

  private let folder: UploadFolder
  /// Names of fields that are written to the disk, in whatever form they are sent.
  private let files: Set<String>
  private var scanner: FormScanner
  private(set) var parts: [FormPart] = []
  private var head = FormHead(name: "")
  private var bytes: [UInt8] = []
  private var spool: FileSpool?
  private var inMemory = 0

  init(boundary: String, files: Set<String>, folder: UploadFolder) {
    (self.files, self.folder) = (files, folder)
    scanner = FormScanner(boundary: boundary)
  }

  /// Reads more of the body.
  mutating func feed(_ more: some Collection<UInt8>) throws {
    for piece in try scanner.feed(more) { try take(piece) }
  }

  /// The fields in their order, once the body has ended.
  func finish() throws(Problem) -> [FormPart] {
    try scanner.finish()
    return parts
  }

  /// The fault for a large file in a field that isn't one of the form's files.
  private var unknownFile: Problem.Field {
    Problem.Field(head.name, "isn't a known file field" + Suggestion.hint(for: head.name, among: files.sorted()))
  }

  private mutating func take(_ piece: FormScanner.Piece) throws {
    switch piece {
    case .head(let next):
      (head, bytes) = (next, [])
      spool = files.contains(next.name) ? try folder.spool("part-\(parts.count)") : nil
    case .bytes(let more):
      if let spool { return try spool.write(more) }
      inMemory += more.count
      guard inMemory <= Self.mostInMemory else {
        if head.fileName != nil { throw Problem.invalid([unknownFile]) }
        throw Problem(413, "fields-too-large", "fields other than files exceed \(Self.mostInMemory) bytes")
      }
      bytes += more
    case .end:
      let content = spool.map { FormPart.Content.file($0.finish()) } ?? .bytes(bytes)
      parts.append(FormPart(name: head.name, fileName: head.fileName, content: content))
      spool = nil
    }
  }
}

/// One field of a form.
package struct FormPart: Hashable, Sendable {
  /// The content of a field, in memory or on the disk.
  package enum Content: Hashable, Sendable {
    case bytes([UInt8])
    case file(SpooledFile)
  }

  package var name: String
  /// The file name given by the sender; nil for a plain field.
  package var fileName: String?
  package var content: Content

  package init(name: String, fileName: String? = nil, content: Content) {
    (self.name, self.fileName, self.content) = (name, fileName, content)
  }

  /// The content as text; nil for a file and for invalid UTF-8.
  var text: String? {
    if case .bytes(let bytes) = content { String(validating: bytes, as: UTF8.self) } else { nil }
  }
}

/// Parses a `multipart/form-data` body as it arrives, by RFC 7578 and RFC 2046; keeps at most a head in memory.
package struct FormScanner {
  /// A parsed piece of a body.
  package enum Piece: Hashable, Sendable {
    case head(FormHead)
    /// Some of the field's bytes.
    case bytes([UInt8])
    case end
  }

  private enum State {
    /// Text before the first boundary.
    case preamble
    /// Position directly after a boundary.
    case boundary
    case head
    case body
    /// Text after the last boundary, which is ignored.
    case done
  }

  /// Maximum number of fields in a form.
  private static let mostParts = 60
  /// Maximum number of bytes in the head of a field.
  private static let longestHead = 16_384

  private let mark: [UInt8]
  // The first boundary may stand at the very beginning.
  private var held: [UInt8] = [13, 10]
  private var state = State.preamble
  private var parts = 0

  package init(boundary: String) { mark = Array("\r\n--\(boundary)".utf8) }

  /// The boundary in a content type; nil if it is another type or has none.
  package static func boundary(ofContentType type: String) -> String? {
    let parts = type.split(separator: ";")
    guard parts.first?.trimmingSpaces.lowercased() == "multipart/form-data" else { return nil }
    let value = FormHead.parameters(type)["boundary"]
    guard let value, (1...70).contains(value.utf8.count) else { return nil }
    return value
  }

  /// Reads more of the body, and returns the pieces that are complete by then.
  package mutating func feed(_ bytes: some Collection<UInt8>) throws(Problem) -> [Piece] {
    if case .done = state { return [] }
    held += bytes
    var pieces: [Piece] = []
    while try advance(&pieces) {}
    return pieces
  }

  /// Rejects a body that ended too early.
  package func finish() throws(Problem) {
    switch state {
    case .done: break
    case .preamble: throw Self.malformed("its boundary is missing")
    case .boundary, .head, .body: throw Self.malformed("its last boundary is missing")
    }
  }

  /// Advances by one step; false if it needs more bytes.
  private mutating func advance(_ pieces: inout [Piece]) throws(Problem) -> Bool {
    switch state {
    case .preamble:
      guard let start = ByteSearch.first(mark, in: held) else {
        held = held.suffix(mark.count - 1)
        return false
      }
      held.removeFirst(start + mark.count)
      state = .boundary
    case .boundary: return try passBoundary()
    case .head: return try readHead(&pieces)
    case .body: return readBody(&pieces)
    case .done: return false
    }
    return true
  }

  /// Reads the bytes after a boundary: two hyphens end the form, a line end begins a field.
  private mutating func passBoundary() throws(Problem) -> Bool {
    if held.starts(with: "--".utf8) {
      (state, held) = (.done, [])
      return false
    }
    let rest = held.drop { $0 == 32 || $0 == 9 }
    if rest.count < 2, held.count < Self.longestHead { return false }
    guard rest.starts(with: [13, 10]) else { throw Self.malformed("a boundary isn't followed by a line break") }
    guard parts < Self.mostParts else { throw Self.malformed("it has more than \(Self.mostParts) fields") }
    parts += 1
    held = Array(rest.dropFirst(2))
    state = .head
    return true
  }

  private mutating func readHead(_ pieces: inout [Piece]) throws(Problem) -> Bool {
    guard let end = ByteSearch.first([13, 10, 13, 10], in: held) else {
      guard held.count < Self.longestHead else { throw Self.malformed("the header of a field has no end") }
      return false
    }
    guard end <= Self.longestHead else { throw Self.malformed("the header of a field is too long") }
    pieces.append(.head(try FormHead(held[..<end])))
    held.removeFirst(end + 4)
    state = .body
    return true
  }

  private mutating func readBody(_ pieces: inout [Piece]) -> Bool {
    guard let end = ByteSearch.first(mark, in: held) else {
      // What might be the beginning of a boundary waits for the rest.
      let safe = held.count - (mark.count - 1)
      guard safe > 0 else { return false }
      pieces.append(.bytes(Array(held[..<safe])))
      held.removeFirst(safe)
      return false
    }
    if end > 0 { pieces.append(.bytes(Array(held[..<end]))) }
    pieces.append(.end)
    held.removeFirst(end + mark.count)
    state = .boundary
    return true
  }

  static func malformed(_ why: String) -> Problem { Problem(400, "form-invalid", "the form can't be read: \(why)") }
}

/// The head of a field, which names it.
package struct FormHead: Hashable, Sendable {
  package var name: String
  /// The file name given by the sender; nil for a plain field.
  package var fileName: String?

  package init(name: String, fileName: String? = nil) { (self.name, self.fileName) = (name, fileName) }

  /// Parses the lines of a field's head.
  init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
    var parameters: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else {
        throw FormScanner.malformed("the header of a field can't be read")
      }
      guard line[..<colon].lowercased() == "content-disposition" else { continue }
      parameters = Self.parameters(String(line[line.index(after: colon)...]))
    }
    guard let name = parameters["name"] else { throw FormScanner.malformed("a field has no name") }
    (self.name, fileName) = (name, parameters["filename"])
  }

  /// `name=value` pairs after the semicolons; quoted values with browsers' escapes.
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

/// Search for bytes in other bytes.
enum ByteSearch {
  /// The offset of the first `needle`; nil if there is none.
  static func first(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard let first = needle.first else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var start = 0
      while start + needle.count <= bytes.count, let base = bytes.baseAddress {
        let rest = base + start
        guard let found = memchr(rest, Int32(first), bytes.count - start) else { return nil }
        start += rest.distance(to: UnsafeRawPointer(found))
        guard start + needle.count <= bytes.count else { return nil }
        if memcmp(base + start, needle, needle.count) == 0 { return start }
        start += 1
      }
      return nil
    }
  }
}
