internal import Glibc

/// Writing to a process that has just died must not end this one too.
package enum BrokenPipes {
  /// From now on such a write fails, as any other may.
  package static func survive() { _ = survived }

  private static let survived: Void = { signal(SIGPIPE, SIG_IGN) }()
}
