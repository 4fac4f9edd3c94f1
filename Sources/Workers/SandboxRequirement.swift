package import Core

/// Check for the engine's sandbox, for commands that render creatives of unknown origin.
package enum SandboxRequirement {
  /// Instructions for a machine without the sandbox, shared by all messages about it.
  package static let remedy =
    "install bubblewrap and allow user namespaces; galley doctor lists missing parts"

  /// Starts bubblewrap in the same way as a worker for its web processes, with the namespaces that the engine requests.
  package static func trial() async -> ProgramTrial.Outcome {
    await ProgramTrial(
      "bwrap",
      ["--die-with-parent", "--unshare-pid", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    ).run()
  }

  /// Throws a fault if the sandbox can't be used, unless the caller has permitted that.
  ///
  /// - Returns: a warning if the sandbox can't be used and that is permitted; else nil.
  package static func check(isWaived: Bool) async throws(Fault) -> String? {
    let outcome = await trial()
    guard !outcome.isSuccess else { return nil }
    guard isWaived else {
      throw .engine(
        .sandboxMissing,
        "can't use WebKit's sandbox, bwrap \(outcome.complaint): \(remedy); --allow-unsandboxed starts without it"
      )
    }
    return "warning: WebKit's sandbox is off: bwrap \(outcome.complaint)\n"
  }
}
