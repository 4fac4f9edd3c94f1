internal import Core
internal import FoundationEssentials

/// Line of text exchanged between worker and recorder: a word with numbers for frequent messages, JSON for the rest.
///
/// JSON for frequent messages would be most of a recorder's work.
package protocol RecorderLine: Codable {
  /// Word and numbers of the message; nil for one that is sent as JSON.
  var words: [String]? { get }
  /// Parses words; nil if they aren't a message of this type.
  init?(words: [Substring])
}

extension RecorderLine {
  /// Text with its line feed; empty if it can't be encoded.
  package var line: [UInt8] {
    let text = words.map { Array($0.joined(separator: " ").utf8) } ?? (try? JSONText.bytes(self)) ?? []
    return text.isEmpty ? [] : text + [UInt8(ascii: "\n")]
  }

  /// Parses a line without its line feed; nil for an invalid one.
  package init?(line: some Collection<UInt8>) {
    guard line.first == UInt8(ascii: "{") else {
      self.init(words: String(decoding: line, as: UTF8.self).split(separator: " "))
      return
    }
    guard let read = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
    self = read
  }
}

extension RecorderRequest: RecorderLine {
  package var words: [String]? {
    switch self {
    case .release(let piece, let now): ["release", "\(piece)", "\(now)"]
    case .drop(let piece): ["drop", "\(piece)"]
    case .sync(let number): ["sync", "\(number)"]
    case .finish: ["finish"]
    }
  }

  package init?(words: [Substring]) {
    let numbers = words.dropFirst().map { Int($0) }
    switch (words.first, numbers.first ?? nil, words.count) {
    case ("release", let piece?, 3):
      guard let now = Double(words[2]) else { return nil }
      self = .release(piece: piece, now: now)
    case ("drop", let piece?, 2): self = .drop(piece: piece)
    case ("sync", let number?, 2): self = .sync(number)
    case ("finish", nil, 1): self = .finish
    default: return nil
    }
  }
}

extension RecorderEvent: RecorderLine {
  package var words: [String]? {
    switch self {
    case .ready: ["ready"]
    case .synced(let number, let activity): ["synced", "\(number)", "\(activity)"]
    case .fetching(let count): ["fetching", "\(count)"]
    case .due(let piece):
      [
        "due", "\(piece.piece)", "\(piece.exchange)", "\(piece.order)", "\(piece.after)", "\(piece.bytes)",
        piece.kind.rawValue,
      ]
    case .withdrawn(let piece): ["withdrawn", "\(piece)"]
    case .finished(let exchanges): ["finished", "\(exchanges)"]
    case .refused, .missing, .failed, .ended: nil
    }
  }

  package init?(words: [Substring]) {
    let numbers = words.dropFirst().map { Int($0) }
    switch (words.first, numbers.first ?? nil, words.count) {
    case ("ready", nil, 1): self = .ready
    case ("synced", let number?, 3):
      guard let activity = numbers[1] else { return nil }
      self = .synced(number, activity: activity)
    case ("fetching", let count?, 2): self = .fetching(count)
    case ("withdrawn", let piece?, 2): self = .withdrawn(piece: piece)
    case ("finished", let exchanges?, 2): self = .finished(exchanges: exchanges)
    case ("due", let piece?, 7):
      guard let exchange = numbers[1], let order = numbers[2], let after = Double(words[4]), let bytes = numbers[4],
        let kind = ScheduledChunk.Kind(rawValue: String(words[6]))
      else { return nil }
      self = .due(
        ScheduledChunk(piece: piece, exchange: exchange, order: order, after: after, bytes: bytes, kind: kind))
    default: return nil
    }
  }
}
