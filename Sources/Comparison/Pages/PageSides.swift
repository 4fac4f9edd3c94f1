/// What a page calls the two sides of what it compares.
package struct PageSides: Sendable {
  let first: String
  let second: String

  /// Words that stand before what the caller wrote, and over pictures.
  package init(first: String = "first", second: String = "second") {
    (self.first, self.second) = (first, second)
  }
}
