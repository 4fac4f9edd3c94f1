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
  static let mostParts = 60
  /// Bytes the head of a field may have.
  static let longestHead = 16_384

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
