/// Files beside a creative that are for Galley, so no part of the creative.
enum SideFile {
  /// Whether the path below the root of a folder or zip is one of Galley's own.
  static func isSideFile(_ components: [String]) -> Bool {
    components.count == 1 && [OwnScenario.fileName, "expected.yaml", "galley.yaml"].contains(components[0])
  }
}
