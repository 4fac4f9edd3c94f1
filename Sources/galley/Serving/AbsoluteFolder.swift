internal import FoundationEssentials

/// Paths as the program was called with.
enum AbsoluteFolder {
  static func of(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
