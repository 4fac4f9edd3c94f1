package import Comparison
package import Core
internal import FoundationEssentials
internal import Pixels

/// Two sides of a comparison: two files or two folders.
package struct DiffSides {
  private let first: String
  private let second: String

  package init(first: String, second: String) { (self.first, self.second) = (first, second) }

  /// Compares both sides; fails if one is a file and the other a folder.
  package func compare(_ comparer: ResultComparer) async throws(Fault) -> [ResultVerdict] {
    switch (try Self.isFolder(first), try Self.isFolder(second)) {
    case (true, true):
      return try await comparer.compare(
        try ResultTree.results(below: first), try ResultTree.results(below: second))
    case (false, false): return [try await pictures(comparer)]
    case (true, false):
      throw .request("diff-mixed", "can't compare a folder with a file: \(first) is a folder, \(second) a file")
    case (false, true):
      throw .request("diff-mixed", "can't compare a file with a folder: \(first) is a file, \(second) a folder")
    }
  }

  private func pictures(_ comparer: ResultComparer) async throws(Fault) -> ResultVerdict {
    let name = second.split(separator: "/").last.map(String.init) ?? second
    let screenshot = try await comparer.screenshot(name, first, second, of: "")
    if let problem = screenshot.problem {
      for path in [first, second] { try Self.check(path) }
      throw .request("diff-unreadable", "\(first) and \(second): \(problem)")
    }
    var result = ResultVerdict(name: "")
    result.pictures = [screenshot]
    return result
  }

  /// Throws a fault that names a file if it can't be read, with its format if the first bytes reveal it.
  private static func check(_ path: String) throws(Fault) {
    do throws(PNGError) {
      _ = try PNGDecoder.raster(path: path)
    } catch {
      let start = (try? FileReading.regular(path, most: 1 << 30))?.prefix(12) ?? []
      let other = Self.others.first { start.dropFirst($0.offset).starts(with: Array($0.bytes)) }?.name
      let kind = other.map { "it is \($0), but galley diff compares PNG files" }
      throw .request("diff-unreadable", "\(path): \(kind ?? "\(error)")")
    }
  }

  /// Other image formats by their first bytes.
  private static let others: [(name: String, offset: Int, bytes: [UInt8])] = [
    ("a JPEG", 0, [0xFF, 0xD8, 0xFF]), ("a GIF", 0, Array("GIF8".utf8)), ("a WebP", 8, Array("WEBP".utf8)),
    ("an AVIF", 4, Array("ftypavif".utf8)), ("an SVG", 0, Array("<svg".utf8)),
  ]

  private static func isFolder(_ path: String) throws(Fault) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { throw .request("file-missing", "there is no \(path)") }
    return AbsolutePath.isFolder(path)
  }
}
