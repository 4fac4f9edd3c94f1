internal import Glibc

/// Whether the engine's sandbox can be used on this machine: bubblewrap, tried with the namespaces that the engine asks
/// of it, since containers often forbid them.
package struct SandboxTrial: Sendable {
  /// Of bubblewrap; nil where it couldn't be started.
  let process: pid_t?

  /// Begins the trial; it ends with this process.
  package static func start() -> SandboxTrial {
    let process = ChildProgram.spawn([
      "bwrap", "--die-with-parent", "--unshare-pid", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "true",
    ])
    return SandboxTrial(process: process > 0 ? process : nil)
  }

  /// Waits for what came of it.
  package func succeeds() -> Bool {
    guard let process else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }
}
