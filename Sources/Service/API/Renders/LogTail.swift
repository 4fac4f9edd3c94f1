internal import Core
internal import Foundation

/// Reads a log while it is written, each line once.
struct LogTail {
  /// Reads without news after which something is said all the same.
  private static let patience = 75
  /// Bytes that are read at a time; many may follow at once, each of another log.
  private static let piece = 1 << 18
  private let path: String
  private var attempt: Int
  private var offset: UInt64 = 0
  private var number = 0
  /// Lines that the client has seen.
  private var seen: Int
  private var silence = 0

  /// `last` is an id like `1:17`; of another attempt it says nothing.
  init(path: String, attempt: Int, after last: String?) {
    (self.path, self.attempt) = (path, attempt)
    let parts = (last ?? "").split(separator: ":").map { Int($0) }
    seen = parts.count == 2 && parts[0] == attempt ? Bounded.sum(parts[1] ?? -1, 1) : 0
  }

  /// Another attempt writes the log anew.
  mutating func begin(attempt: Int) {
    guard attempt != self.attempt else { return }
    (self.attempt, offset, number, seen) = (attempt, 0, 0, 0)
  }

  /// Bytes of the log up to its last line end.
  static func wholeBytes(of path: String) -> Int {
    guard let file = FileHandle(forReadingAtPath: path), var end = try? file.seekToEnd() else { return 0 }
    defer { try? file.close() }
    while end > 0 {
      let start = end > UInt64(piece) ? end - UInt64(piece) : 0
      guard (try? file.seek(toOffset: start)) != nil,
        let bytes = try? file.read(upToCount: Int(clamping: end - start)), !bytes.isEmpty
      else { return 0 }
      if let index = bytes.lastIndex(of: UInt8(ascii: "\n")) { return Int(clamping: start) + index + 1 }
      end = start
    }
    return 0
  }

  /// Some events of the lines that came since, none when there are none; with `isWhole` the last needs no line end.
  mutating func read(isWhole: Bool = false) -> [String] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: offset)) != nil, let news = try? file.read(upToCount: Self.piece), !news.isEmpty
    else { return [] }
    var messages: [String] = []
    var rest = news[...]
    // A line that fills the whole piece is no event of Galley's: it is passed on in parts, lest all waits for its end.
    let isLast = isWhole && news.count < Self.piece
    while let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      ?? (!rest.isEmpty && (isLast || rest.count == Self.piece) ? rest.endIndex : nil)
    {
      let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
      offset += UInt64(min(end + 1, rest.endIndex) - rest.startIndex)
      rest = rest[min(end + 1, rest.endIndex)...]
      if number >= seen, !line.isEmpty { messages.append(EventFeed.message("log", line, id: "\(attempt):\(number)")) }
      number += 1
    }
    if !messages.isEmpty { silence = 0 }
    return messages
  }

  /// Whether nothing was said for a quarter of a minute.
  mutating func isSilent() -> Bool {
    silence += 1
    guard silence >= Self.patience else { return false }
    silence = 0
    return true
  }
}
