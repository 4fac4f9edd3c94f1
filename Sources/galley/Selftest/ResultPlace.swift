internal import FoundationEssentials
internal import Jobs
internal import Workers

/// Where a selftest's renders go: a folder of the caller's, or one that is gone afterwards.
struct ResultPlace {
  /// Absolute.
  let path: String
  private let isTemporary: Bool

  /// Makes the folder; nil asks for a temporary one.
  init(_ given: String?) throws(Fault) {
    isTemporary = given == nil
    let here = FileManager.default.currentDirectoryPath
    let name = "galley-selftest-\(UUID().uuidString)"
    path =
      given.map { $0.hasPrefix("/") ? $0 : here + "/" + $0 }
      ?? FileManager.default.temporaryDirectory.appending(path: name).path(percentEncoded: false)
    try ResultFolder(path).create()
  }

  /// Removes a temporary folder.
  func clear() {
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }
}
