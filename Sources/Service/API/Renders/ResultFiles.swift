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
    return (found?.allObjects as? [String] ?? []).sorted().compactMap(describe)
  }

  /// The one at a path; nil for whatever isn't listed: what lies outside, or behind a link.
  func file(_ path: String) -> File? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.contains("\0"), parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
    let folders = parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    guard folders.allSatisfy({ kind(of: $0) == .typeDirectory }) else { return nil }
    return describe(path)
  }

  private func describe(_ path: String) -> File? {
    guard let type = Self.type(of: path), let bytes = size(path) else { return nil }
    let url = path.split(separator: "/").map { BaselineDocument.escaped(String($0)) }.joined(separator: "/")
    return File(path: path, bytes: bytes, type: type, url: "\(base)/\(url)")
  }

  /// What is at a path itself, a link included.
  private func kind(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)"))?[.type] as? FileAttributeType
  }

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
