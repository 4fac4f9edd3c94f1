package import Core
internal import Files
internal import FoundationEssentials
internal import Glibc

/// Maximum sizes of a recording that is read, in bytes.
package struct RecordingBounds: Hashable, Sendable {
  /// Bytes of the archive's text, and of all bodies in files beside it.
  package var bytes = 4 << 30
  /// Bytes of the text without long bodies, which is held in memory.
  package var heads = 512 << 20

  package init() {}

  package init(bytes: Int, heads: Int) { (self.bytes, self.heads) = (bytes, heads) }
}

/// A recording in one file: `.zip` with bodies beside the archive, or `.har` with them in it. Playwright reads both.
///
/// A `.wacz` is for players of web archives, and is only written.
package enum RecordingFile {
  /// Formats that are written; all but the last are also read.
  package enum Format: String, CaseIterable, Sendable {
    case zip, har, wacz
  }

  /// Returns the format for a path's extension; nil for any other.
  package static func format(of path: String) -> Format? {
    Format.allCases.first { path.lowercased().hasSuffix(".\($0.rawValue)") }
  }

  /// Indicates if a file begins with a zip's signature, whatever its name.
  package static func isZip(_ path: String) -> Bool {
    FilePart(path, from: 0)?.read(2) == [0x50, 0x4B]
  }

  /// Reads a file into an empty folder.
  @discardableResult
  package static func unpack(
    _ path: String, into folder: String, within bounds: RecordingBounds = RecordingBounds()
  ) throws(Fault) -> RecordingFolder {
    let recording = try RecordingFolder.create(folder)
    do {
      switch try given(path) {
      case .zip: try RecordingZip.read(path, into: recording, within: bounds)
      case .har:
        let reader = HARReader(folder: recording, name: path, bounds: bounds) { name in
          try beside(path, name, recording, bounds)
        }
        try reader.read { handOn in try FilePieces.read(path, handOn) }
      case .wacz:
        throw Fault.request(
          "recording-format-unknown",
          "can't read \(path), a format for players of web archives: use the .zip or .har from which it was converted")
      }
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .request("recording-broken", "can't read \(path): \(error)")
    }
    return recording
  }

  /// Writes a folder to a file; the same recording produces the same bytes.
  package static func pack(_ folder: String, to path: String, title: String = "") throws(Fault) {
    let recording = try RecordingFolder.open(folder)
    let writer = HARWriter(folder: recording, title: title)
    do {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      switch try given(path) {
      case .har:
        let file = try OutputFile(path)
        try writer.write(.inline) { try file.write($0) }
        try file.finish()
      case .zip: try packZip(recording, writer, path)
      case .wacz: try WACZWriter(folder: recording, title: title).write(to: path)
      }
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .writing(path, error, isNamed: true)
    }
  }

  private static func packZip(_ recording: RecordingFolder, _ writer: HARWriter, _ path: String) throws {
    var files: [String: String] = [:]
    // The archive is written where bodies lie, under a name that is none of theirs.
    let text = try recording.beginBody()
    try writer.write(
      .files { content in
        guard let source = recording.bodyPath(content.digest) else {
          throw Fault.request("recording-broken", "'\(content.digest)' isn't a digest")
        }
        let name = content.digest + ending(content.mimeType)
        files[name] = source
        return name
      }
    ) { try $0.withUnsafeBytes { try text.write($0) } }
    let bodies = files.sorted { $0.key < $1.key }.map { (name: $0.key, path: $0.value) }
    try RecordingZip.write(path, files: [(name: "har.har", path: text.path)] + bodies)
  }

  /// Reads a body from a file beside a `.har`; nil if there is none. Names outside the folder are refused.
  private static func beside(_ path: String, _ name: String, _ recording: RecordingFolder, _ bounds: RecordingBounds)
    throws -> Exchange.Content?
  {
    guard !name.isEmpty, !name.contains("/"), name != "..", name != ".", !name.utf8.contains(0) else {
      throw Fault.request("recording-broken", "\(path) names a file outside its folder: \(name)")
    }
    let file = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
    var facts = stat()
    guard lstat(file, &facts) == 0 else { return nil }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= bounds.bytes else {
      throw Fault.request("recording-broken", "\(path) names \(name), which isn't a regular file")
    }
    let body = try recording.beginBody()
    try FilePieces.read(file) { try body.write($0) }
    return try body.finish(mimeType: "")
  }

  private static func given(_ path: String) throws(Fault) -> Format {
    guard let format = format(of: path) else {
      throw .request("recording-format-unknown", "a recording must be a .zip, .har or .wacz, not \(path)")
    }
    return format
  }

  /// Returns the extension by which programs recognise a body's file; `.bin` for unknown types.
  private static func ending(_ type: String) -> String {
    let plain = type.lowercased().prefix { $0 != ";" && $0 != " " }
    let endings = [
      "text/html": ".html", "text/css": ".css", "text/javascript": ".js", "application/javascript": ".js",
      "application/json": ".json", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp",
      "image/gif": ".gif",
      "image/svg+xml": ".svg", "video/mp4": ".mp4", "video/webm": ".webm", "text/plain": ".txt", "font/woff2": ".woff2",
      "application/xml": ".xml", "text/xml": ".xml",
    ]
    return endings[String(plain)] ?? ".bin"
  }
}
