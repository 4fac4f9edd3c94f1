/// What of a render in stepped time lives in the machine's, so that its pictures needn't be the same every time.
package enum Inexact: String, Hashable, Sendable, Codable, CaseIterable {
  /// The engine's compositor drew the pages.
  case compositor
  /// A film took longer than five seconds to show what it should.
  case films
  /// Something that a page asked for hadn't come after a second, or five of what is on this machine, and time went on without it.
  case network
  /// What the engine does for a page beside it, such as to decode and to compile, took longer than five seconds.
  case work
}
