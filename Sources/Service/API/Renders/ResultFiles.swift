internal import Foundation

/// The files of one result, by their paths in it.
struct ResultFiles {
  /// One of them.
  struct File: Encodable {
    let path: String
    let bytes: Int
    let type: String
    let url: String
  }

  let folder: String
  /// Where each of them is got.
  let base: String

  /// All of them, sorted by their paths; what is of no known kind isn't told.
  var all: [File] {
    let found = FileManager.default.enumerator(atPath: folder)
    let paths = (found?.allObjects as? [String] ?? []).sorted()
    return paths.compactMap { path in
      guard let type = Self.type(of: path), let bytes = size(path) else { return nil }
      let url = path.split(separator: "/").map { BaselineDocument.escaped(String($0)) }.joined(separator: "/")
      return File(path: path, bytes: bytes, type: type, url: "\(base)/\(url)")
    }
  }

  /// The one at a path; nil for whatever isn't listed.
  func file(_ path: String) -> File? { all.first { $0.path == path } }

  /// In bytes; nil for what is no file, a link least of all.
  private func size(_ path: String) -> Int? {
    let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
    guard facts?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return (facts?[.size] as? NSNumber)?.intValue
  }

  private static func type(of path: String) -> String? {
    switch path.split(separator: ".").last {
    case "json": "application/json"
    case "ndjson": "application/x-ndjson"
    case "png": "image/png"
    case "yaml", "mmd": "text/plain; charset=utf-8"
    default: nil
    }
  }
}
