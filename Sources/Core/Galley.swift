/// The product itself.
package enum Galley {
  /// Semantic version, as `galley --version` and every result say.
  package static let version = "0.1.0"
}
