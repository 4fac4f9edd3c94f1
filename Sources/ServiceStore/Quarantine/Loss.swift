/// A worker, or a whole server, that died while a creative was rendered.
package struct Loss: Hashable, Sendable {
  /// What the creative is known by.
  package var content: String
  /// What was asked for of it: the same for renders that do the same.
  package var recipe: String
  package var render: String
  /// What died; the same for every render that one death hit, so that it counts once.
  package var cause: String
  package var reason: String
  /// In milliseconds since 1970.
  package var instant: Int64

  package init(content: String, recipe: String, render: String, cause: String, reason: String, instant: Int64) {
    (self.content, self.recipe, self.render) = (content, recipe, render)
    (self.cause, self.reason, self.instant) = (cause, reason, instant)
  }
}
