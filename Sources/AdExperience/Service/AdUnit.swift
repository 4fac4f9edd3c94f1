/// Which ad a place in a feed asks for.
package struct AdUnit: Hashable, Sendable, CustomStringConvertible {
  /// The advertisement identifier the place was given; two kinds of places have two.
  package var identifier: String
  /// From 0: the how-manieth ad of its feed it is.
  package var index: Int

  /// An ad for a place.
  package init(identifier: String, index: Int) {
    self.identifier = identifier
    self.index = index
  }

  /// Also what its request is called.
  package var description: String { "\(identifier)/\(index + 1)" }
}
