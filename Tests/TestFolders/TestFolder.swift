internal import FoundationEssentials

/// A folder of a test's own, gone with it.
package final class TestFolder: Sendable {
  /// Absolute, without links on the way.
  package let path: String

  package init() throws {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(place)/galley-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of what is in it by that name, or will be.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and makes the folders on the way; returns its path.
  @discardableResult package func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  @discardableResult package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try makeFolder(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)]))
    guard FileManager.default.createFile(atPath: file(name), contents: Data(bytes)) else {
      throw CocoaError(.fileWriteUnknown)
    }
    return file(name)
  }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
  }

  /// A file's text; nil where there is none.
  package func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
  }
}
