internal import FoundationEssentials

/// Whole files.
enum FileContents {
  /// Nil when it can't be read.
  static func read(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }
}
