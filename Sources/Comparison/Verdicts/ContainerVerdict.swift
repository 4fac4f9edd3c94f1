package import Jobs

/// One creative as several containers showed it.
package struct ContainerVerdict: Sendable {
  /// One container's render, and how it compares with the reference's.
  package struct Showing: Sendable {
    package let container: String
    package let record: RenderRecord
    /// Where the result is, below the caller's folder.
    package let folder: String
    /// Nil for the reference itself.
    package let comparison: ResultVerdict?

    package init(container: String, record: RenderRecord, folder: String, comparison: ResultVerdict?) {
      (self.container, self.record, self.folder, self.comparison) = (container, record, folder, comparison)
    }
  }

  /// The creative's result folder, or its argument when it couldn't be opened.
  package let name: String
  /// The reference first; empty for a creative that couldn't be opened.
  package let showings: [Showing]
  /// Why there is no render.
  package let refusal: RenderRecord?

  package init(name: String, showings: [Showing]) {
    (self.name, self.showings, refusal) = (name, showings, nil)
  }

  /// For a creative that couldn't be opened.
  package init(name: String, refusal: RenderRecord) {
    (self.name, showings, self.refusal) = (name, [], refusal)
  }
}
