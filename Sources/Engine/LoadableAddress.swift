/// Address that a view may load.
///
/// Text alone isn't one: the code that makes an address vouches for the source of its text.
///
/// A literal is the host's own. Any other is either explicitly trusted, as it was named by the user who requested the
/// render, or has been judged: no address from a creative may get here otherwise.
package struct LoadableAddress: Hashable, Sendable, ExpressibleByStringLiteral {
  package let url: String

  package init(stringLiteral url: StaticString) { self.url = url.description }

  /// Creates an address that no creative had any influence on, or that was judged before.
  package init(trusted url: String) { self.url = url }
}
