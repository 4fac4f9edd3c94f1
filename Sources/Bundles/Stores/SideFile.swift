import Jobs

/// Files beside a creative that are for Galley, so no part of the creative.
enum SideFile {
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
