internal import Core
internal import Glibc

/// Reads a form as it comes: files onto the disk, the other fields into memory, which they may take little of.
struct FormReader {
  /// Bytes all fields together may have that aren't files.
  private static let mostInMemory = 1_000_000

  private let folder: UploadFolder
  /// Fields that are written to the disk, whatever they are sent as.
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

  /// Takes in more of the body.
  mutating func feed(_ more: some Collection<UInt8>) throws {
    for piece in try scanner.feed(more) { try take(piece) }
  }

  /// The fields in their order, once the body has ended.
  func finish() throws(Problem) -> [FormPart] {
    try scanner.finish()
    return parts
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
        throw Problem(413, "fields-too-large", "fields that aren't files have more than \(Self.mostInMemory) bytes")
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
  /// Where what it holds is.
  package enum Content: Hashable, Sendable {
    case bytes([UInt8])
    case file(SpooledFile)
  }

  package var name: String
  /// What the sender's file was called; nil for a plain field.
  package var fileName: String?
  package var content: Content

  package init(name: String, fileName: String? = nil, content: Content) {
    (self.name, self.fileName, self.content) = (name, fileName, content)
  }

  /// What it holds as text; nil for a file and for what isn't UTF-8.
  var text: String? {
    if case .bytes(let bytes) = content { String(validating: bytes, as: UTF8.self) } else { nil }
  }
}

/// Takes a `multipart/form-data` body apart as it comes, by RFC 7578 and RFC 2046; holds no more of it than a head.
package struct FormScanner {
  /// What a body says next.
  package enum Piece: Hashable, Sendable {
    case head(FormHead)
    /// Some of the field's bytes.
    case bytes([UInt8])
    case end
  }

  private enum State {
    /// Before the first boundary.
    case preamble
    /// Right behind a boundary.
    case boundary
    case head
    case body
    /// Behind the last boundary, where nothing counts.
    case done
  }

  /// Fields a form may have.
  private static let mostParts = 60
  /// Bytes the head of a field may have.
  private static let longestHead = 16_384

  private let mark: [UInt8]
  // The first boundary may stand at the very beginning.
  private var held: [UInt8] = [13, 10]
  private var state = State.preamble
  private var parts = 0

  package init(boundary: String) { mark = Array("\r\n--\(boundary)".utf8) }

  /// The boundary that a content type names; nil when it is another type or names none.
  package static func boundary(ofContentType type: String) -> String? {
    let parts = type.split(separator: ";")
    guard parts.first?.trimmingSpaces.lowercased() == "multipart/form-data" else { return nil }
    let value = FormHead.parameters(type)["boundary"]
    guard let value, (1...70).contains(value.utf8.count) else { return nil }
    return value
  }

  /// Takes in more of the body, and gives back what that completes.
  package mutating func feed(_ bytes: some Collection<UInt8>) throws(Problem) -> [Piece] {
    if case .done = state { return [] }
    held += bytes
    var pieces: [Piece] = []
    while try advance(&pieces) {}
    return pieces
  }

  /// Refuses a body that ended too early.
  package func finish() throws(Problem) {
    switch state {
    case .done: break
    case .preamble: throw Self.malformed("its boundary is nowhere")
    case .boundary, .head, .body: throw Self.malformed("its last boundary is missing")
    }
  }

  /// One step; false when it takes more bytes.
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

  /// Two hyphens end the form, a line end begins a field.
  private mutating func passBoundary() throws(Problem) -> Bool {
    if held.starts(with: "--".utf8) {
      (state, held) = (.done, [])
      return false
    }
    let rest = held.drop { $0 == 32 || $0 == 9 }
    if rest.count < 2, held.count < Self.longestHead { return false }
    guard rest.starts(with: [13, 10]) else { throw Self.malformed("a boundary isn't followed by a line end") }
    guard parts < Self.mostParts else { throw Self.malformed("it has more than \(Self.mostParts) fields") }
    parts += 1
    held = Array(rest.dropFirst(2))
    state = .head
    return true
  }

  private mutating func readHead(_ pieces: inout [Piece]) throws(Problem) -> Bool {
    guard let end = ByteSearch.first([13, 10, 13, 10], in: held) else {
      guard held.count < Self.longestHead else { throw Self.malformed("the head of a field has no end") }
      return false
    }
    guard end <= Self.longestHead else { throw Self.malformed("the head of a field is too long") }
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

/// Where bytes are in other bytes.
enum ByteSearch {
  /// The first place of `needle`; nil when it isn't there.
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
