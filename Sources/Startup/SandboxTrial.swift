internal import Glibc

/// Trial of the engine's sandbox on this machine: bubblewrap with the namespaces that the engine uses.
///
/// Containers often forbid these namespaces.
package struct SandboxTrial: Sendable {
  /// Process id of bubblewrap; nil if it couldn't be started.
  let process: pid_t?

  /// Begins the trial; it ends with this process.
  package static func start() -> SandboxTrial {
    let process = ChildProgram.spawn([
      "bwrap", "--die-with-parent", "--unshare-pid", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "true",
    ])
    return SandboxTrial(process: process > 0 ? process : nil)
  }

  /// Waits for the trial and returns true if the sandbox can be used.
  package func succeeds() -> Bool {
    guard let process else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status == 0
  }
}
