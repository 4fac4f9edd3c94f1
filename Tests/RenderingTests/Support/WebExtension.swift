import Foundation

/// Galley's web process extension, as the build leaves it beside the test program.
enum WebExtension {
  /// The folder of the test program.
  static let folder: String? = {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return program.map { ($0 as NSString).deletingLastPathComponent }
  }()

  static let isBuilt = FileManager.default.fileExists(atPath: (folder ?? "") + "/libGalleyWebExtension.so")
}
