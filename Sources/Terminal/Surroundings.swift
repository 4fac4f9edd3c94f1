internal import Glibc
internal import Workers

/// Environment of the process, which a caller may have left in an unusable state.
package enum Surroundings {
  /// Repairs streams, limits, signals and the mask of new files; called before anything else.
  package static func settle() {
    StandardStreams.open()
    ProcessLimits.raise()
    settleSignals()
    // What a program makes it has to be able to use itself; others are the caller's business.
    umask(umask(0o077) & 0o077)
  }

  /// Restores the default handling of signals.
  ///
  /// The process waits for its children's ends, and the engine's threads stop each other by signals, so no signal may
  /// be blocked or ignored.
  private static func settleSignals() {
    signal(SIGCHLD, SIG_DFL)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }
}
