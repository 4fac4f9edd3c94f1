/// Fields of a form with files, in the format `multipart/form-data` (RFC 7578).
struct MultipartForm {
  /// A part between two boundaries.
  struct Part {
    /// Name of the field; nil if the head doesn't have it.
    let name: String?
    /// Range of the part's value in the bytes.
    let value: Range<Int>
  }

  /// Maximum number of parts that are read.
  private static let most = 10_000
  private static let longestBoundary = 74
  private static let longestHead = 4_096

  let parts: [Part]
  /// Indicates if the maximum was reached, so that there may be more parts.
  let isCut: Bool

  /// Parses a form, whose first line is the boundary; nil if the bytes are no such form.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "--".utf8), let end = bytes.prefix(Self.longestBoundary).firstIndex(of: 13), end > 2 else {
      return nil
    }
    let boundary = Array(bytes[..<end])
    var (parts, place) = ([Part](), 0)
    while parts.count < Self.most, let start = Self.find([13, 10], in: bytes, from: place + boundary.count, within: 4),
      let head = Self.find([13, 10, 13, 10], in: bytes, from: start, within: Self.longestHead),
      let next = Self.find([13, 10] + boundary, in: bytes, from: head + 2, within: bytes.count)
    {
      let value = head + 4
      parts.append(Part(name: Self.name(bytes[start..<head]), value: value..<max(value, next)))
      place = next + 2
    }
    guard !parts.isEmpty else { return nil }
    (self.parts, isCut) = (parts, parts.count == Self.most)
  }

  private static func name(_ head: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: head, as: UTF8.self)
    guard let match = text.firstMatch(of: /[; \t]name=(?:"(?<quoted>[^"\r\n]*)"|(?<plain>[^;\s]+))/) else { return nil }
    return (match.output.quoted ?? match.output.plain).map(String.init)
  }

  private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int, within length: Int) -> Int? {
    var index = start
    let last = min(bytes.count, start + length + pattern.count) - pattern.count
    while index <= last {
      if bytes[index] == pattern[0], bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
      index += 1
    }
    return nil
  }
}
