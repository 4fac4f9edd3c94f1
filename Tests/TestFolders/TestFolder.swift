internal import FoundationEssentials

/// Temporary folder of one test, deleted with this object.
package final class TestFolder: Sendable {
  /// Absolute path without links.
  package let path: String

  package init() throws {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(place)/galley-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of an existing or future file of this name in the folder.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and creates the folders of its path; returns its path.
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

  /// Returns a file's text; nil if there is none.
  package func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
  }
}
