/// One render's files.
package struct RenderFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The creative as it was delivered, alone in a folder, so that nothing else is served beside it.
  package var creative: String { path + "/creative" }
  /// The results, in the form that every command leaves.
  package var results: String { path + "/out" }
  /// The results of the one creative, below the report.
  package func result(_ name: String) -> String { "\(results)/\(name)" }
}
