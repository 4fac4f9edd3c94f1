import Jobs

/// Files beside a creative that are for Galley, so no part of the creative.
package enum SideFile {
  /// The folder that a file lies in.
  package static func folder(of path: String) -> String { AbsolutePath.split(path).parent }

  /// Whether a path leads to something below a folder, links followed.
  package static func isInside(_ path: String, folder: String) -> Bool {
    guard let file = AbsolutePath.real(path), let root = AbsolutePath.real(folder) else { return false }
    return file.utf8.starts(with: (root == "/" ? root : root + "/").utf8)
  }

  /// Whether the path below a creative folder's root is one of Galley's own.
  static func isSideFile(_ components: [String]) -> Bool {
    components.count == 1 && ["scenario.yaml", "expected.yaml", "galley.yaml"].contains(components[0])
  }

  /// The scenario in a creative's folder.
  static func scenario(in store: FolderStore) -> String? {
    store.locate(["scenario.yaml"])
  }

  /// The scenario beside a creative file: `banner.scenario.yaml` for `banner.html`.
  static func scenario(beside path: String) -> String? {
    guard let store = try? FolderStore(root: AbsolutePath.split(path).parent) else { return nil }
    return store.locate([AbsolutePath.stem(path).stem + ".scenario.yaml"])
  }
}
