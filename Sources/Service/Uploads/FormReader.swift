internal import Jobs

/// Reads a form as it comes: files onto the disk, the other fields into memory, which they may take little of.
struct FormReader {
  /// Bytes all fields together may have that aren't files.
  static let mostInMemory = 1_000_000

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
