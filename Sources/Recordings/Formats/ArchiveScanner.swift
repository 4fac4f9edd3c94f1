internal import Core

/// Splits an HTTP Archive while it is read: each entry by itself, and its long texts, which are bodies, in files.
///
/// Long texts are never in memory, and an archive with any number of entries needs no more memory than one of them.
struct ArchiveScanner {
  /// Prefix of the placeholder for a text that is in a file; the text's number follows it.
  let token: String
  private let folder: RecordingFolder
  private let name: String
  /// All bytes outside the entries.
  private(set) var head: [UInt8] = []
  private var entry: [UInt8] = []
  private var texts: [BodyFile] = []
  /// Containers around the current byte, outermost first: true for an object, false for an array.
  private var containers: [Bool] = []
  /// Current keys in the two outermost objects.
  private var keys = ["", ""]
  private var isKeyNext = false
  /// Indicates if the current byte is part of an entry.
  private var isEntry = false
  private var string: Text?

  private struct Text {
    var bytes: [UInt8] = []
    let isKey: Bool
    var isEscaped = false
    var spill: (file: BodyFile, decoder: JSONUnescaper)?
  }

  /// Number of bytes above which a text is stored in a file.
  private static let long = 1 << 16
  /// Maximum number of bytes of an entry, or of all bytes outside entries, without their long texts.
  private static let most = 16 << 20
  private static let deepest = 256
  private static let mostTexts = 64

  init(_ folder: RecordingFolder, name: String, chance: UInt64 = .random(in: .min ... .max)) {
    (self.folder, self.name) = (folder, name)
    token = "galley:\(String(chance, radix: 16)):"
  }

  /// Reads the next bytes and passes on each entry that ends in them.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ handOn: (_ entry: [UInt8], _ texts: [BodyFile]) throws -> Void
  ) throws {
    var index = 0
    while index < bytes.count {
      if string != nil {
        index = try takeText(bytes, from: index)
        continue
      }
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): string = Text(isKey: isKeyNext && containers.last == true)
      case UInt8(ascii: "{"), UInt8(ascii: "["): try open(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard containers.popLast() != nil else { throw broken("it isn't JSON") }
        try put([byte])
        guard isEntry, isInEntries else { continue }
        isEntry = false
        try handOn(entry, texts)
        (entry, texts) = ([], [])
      case UInt8(ascii: ","):
        isKeyNext = true
        if isEntry || !isInEntries { try put([byte]) }
      case UInt8(ascii: ":"):
        isKeyNext = false
        try put([byte])
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
      default:
        // A mark of the text's encoding may stand before all.
        if containers.isEmpty, head.isEmpty, [0xEF, 0xBB, 0xBF].contains(byte) { continue }
        guard isEntry || !isInEntries else { throw broken("log.entries contains an invalid entry") }
        try put([byte])
      }
    }
  }

  private mutating func open(_ bracket: UInt8) throws {
    guard containers.count < Self.deepest else { throw broken("it is nested too deeply") }
    let isObject = bracket == UInt8(ascii: "{")
    if isInEntries, !isEntry {
      guard isObject else { throw broken("log.entries contains an invalid entry") }
      isEntry = true
    }
    try put([bracket])
    containers.append(isObject)
    isKeyNext = true
  }

  /// Indicates if the innermost container is the list of entries.
  private var isInEntries: Bool { containers == [true, true, false] && keys == ["log", "entries"] }

  private mutating func put(_ bytes: [UInt8]) throws {
    if isEntry { entry += bytes } else { head += bytes }
    guard max(entry.count, head.count) <= Self.most else {
      throw Fault.request(
        "recording-too-large", "\(name) has an entry of more than \(Self.most >> 20) MiB without bodies")
    }
  }

  private mutating func takeText(_ bytes: UnsafeRawBufferPointer, from start: Int) throws -> Int {
    guard var text = string else { return start }
    string = nil
    var index = start
    var isOver = false
    while index < bytes.count, !isOver {
      if text.isEscaped {
        text.isEscaped = false
      } else if bytes[index] == UInt8(ascii: "\\") {
        text.isEscaped = true
      } else if bytes[index] == UInt8(ascii: "\"") {
        isOver = true
      }
      index += 1
    }
    let run = UnsafeRawBufferPointer(rebasing: bytes[start..<(isOver ? index - 1 : index)])
    try add(run, to: &text)
    if isOver { try end(text) } else { string = text }
    return index
  }

  private mutating func add(_ run: UnsafeRawBufferPointer, to text: inout Text) throws {
    if text.spill == nil {
      text.bytes += run
      guard text.bytes.count > Self.long, !text.isKey, isEntry else {
        guard text.bytes.count <= Self.most else { throw broken("a name in it is too long") }
        return
      }
      text.spill = (try folder.beginBody(), JSONUnescaper())
      let bytes = text.bytes
      text.bytes = []
      try bytes.withUnsafeBytes { try spill($0, &text) }
    } else {
      try spill(run, &text)
    }
  }

  private func spill(_ run: UnsafeRawBufferPointer, _ text: inout Text) throws {
    guard let file = text.spill?.file else { return }
    try text.spill?.decoder.take(run) { try file.write($0) }
  }

  private mutating func end(_ text: Text) throws {
    if text.isKey {
      if containers.count <= 2 { keys[containers.count - 1] = String(decoding: text.bytes.prefix(64), as: UTF8.self) }
      isKeyNext = false
    }
    var bytes = text.bytes
    if var spill = text.spill {
      guard texts.count < Self.mostTexts else { throw broken("an entry has too many long texts") }
      let file = spill.file
      try spill.decoder.end { try file.write($0) }
      bytes = Array("\(token)\(texts.count)".utf8)
      texts.append(file)
    }
    guard isEntry || !isInEntries else { throw broken("log.entries contains an invalid entry") }
    try put([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")])
  }

  private func broken(_ reason: String) -> Fault {
    .request("recording-broken", "\(name) isn't an HTTP Archive: \(reason)")
  }
}
