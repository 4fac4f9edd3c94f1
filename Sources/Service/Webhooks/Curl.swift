internal import Jobs
internal import Subprocess
internal import Workers

/// The system's curl: webhooks go by the TLS and the authorities that the machine keeps up to date.
struct Curl {
  private let program: Executable

  init(_ program: Executable = .name("curl")) { self.program = program }

  /// Fails where there is no curl.
  func check() async throws(Fault) {
    do {
      _ = try await program.resolveExecutablePath(in: .inherit)
    } catch {
      throw Self.missing
    }
  }

  /// Sends once; cancelling the task kills the process.
  func send(_ post: HookPost) async throws(Fault) -> CurlReport {
    BrokenPipes.survive()
    do {
      // Without the user's own configuration, which only the very first argument can say.
      let result = try await Subprocess.run(
        program, arguments: ["--disable", "--config", "-"], platformOptions: Self.options,
        input: .string(post.configuration), output: .string(limit: 1 << 16), error: .discarded)
      guard case .exited(let code) = result.terminationStatus else {
        throw Fault.engine("curl-failed", "curl was killed")
      }
      return CurlReport(exit: code, output: result.standardOutput)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw Self.missing
    } catch {
      throw error as? Fault ?? .engine("curl-failed", "curl couldn't be run: \(error)")
    }
  }

  private static let missing = Fault.engine(
    "curl-missing", "webhooks are sent by curl, which isn't on the PATH; the package is called curl")

  /// A process group of its own: a terminal's Ctrl-C is for the server, which then ends what it sends in order.
  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }
}
