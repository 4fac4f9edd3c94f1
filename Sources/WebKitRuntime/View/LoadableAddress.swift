/// What a view may be told to load. Text alone isn't: whoever makes one answers for where the text came from.
///
/// A literal is the host's own. Everything else is either trusted by name, as what a person named who asked for the
/// render, or was judged: nothing that a creative says may get here otherwise.
package struct LoadableAddress: Hashable, Sendable, ExpressibleByStringLiteral {
  package let url: String

  package init(stringLiteral url: StaticString) { self.url = url.description }

  /// An address that no creative had a say in, or that was judged before.
  package init(trusted url: String) { self.url = url }
}
