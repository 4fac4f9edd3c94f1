package import Core
internal import Files
internal import Foundation

/// A recording as one file: `.zip` with bodies beside the archive, or `.har` with them in it. Playwright reads both.
package enum RecordingFile {
  /// The formats that are read and written.
  package enum Format: String, CaseIterable, Sendable {
    case zip, har
  }

  /// By a path's ending; nil for another.
  package static func format(of path: String) -> Format? {
    Format.allCases.first { path.lowercased().hasSuffix(".\($0.rawValue)") }
  }

  /// Reads a file into an empty folder.
  @discardableResult
  package static func unpack(_ path: String, into folder: String) throws(Fault) -> RecordingFolder {
    let recording = try RecordingFolder.create(folder)
    do {
      switch try given(path) {
      case .zip: try RecordingZip.read(path, into: recording)
      case .har:
        let text = try FileReading.regular(path, most: HARReader.longest)
        try HARReader(folder: recording, name: path) { _, _ in nil }.read(text)
      }
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .request("recording-broken", "\(path) can't be read: \(error)")
    }
    return recording
  }

  /// Writes a folder to a file; the same recording gives the same bytes.
  package static func pack(_ folder: String, to path: String, title: String = "") throws(Fault) {
    let recording = try RecordingFolder.open(folder)
    let writer = HARWriter(folder: recording, title: title)
    do {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      switch try given(path) {
      case .har:
        let file = try OutputFile(path)
        try file.write(try writer.text(.inline))
        try file.finish()
      case .zip:
        var files: [String: String] = [:]
        let text = try writer.text(
          .files { content in
            guard let source = recording.bodyPath(content.digest) else { throw Fault.request("recording-broken", "a digest is none") }
            let name = content.digest + ending(content.mimeType)
            files[name] = source
            return name
          })
        try RecordingZip.write(
          path, texts: [("har.har", text)], files: files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      }
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .writing(path, error, isNamed: true)
    }
  }

  private static func given(_ path: String) throws(Fault) -> Format {
    guard let format = format(of: path) else {
      throw .request("recording-format-unknown", "a recording is a .zip or a .har, not \(path)")
    }
    return format
  }

  /// What people's programs open a body's file by.
  private static func ending(_ type: String) -> String {
    let plain = type.lowercased().prefix { $0 != ";" && $0 != " " }
    let endings = [
      "text/html": ".html", "text/css": ".css", "text/javascript": ".js", "application/javascript": ".js",
      "application/json": ".json", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif",
      "image/svg+xml": ".svg", "video/mp4": ".mp4", "video/webm": ".webm", "text/plain": ".txt", "font/woff2": ".woff2",
      "application/xml": ".xml", "text/xml": ".xml",
    ]
    return endings[String(plain)] ?? ".bin"
  }
}
