internal import CForkServer
internal import Engine
internal import Glibc

/// Process from which web processes are forked, so that none has to be linked anew.
///
/// It is the engine's own program for web processes, stopped right before its main; it runs no page and has no access
/// to the network. If it isn't available, the engine starts web processes as usual.
package enum ForkServer {
  /// Name of the environment variable that switches the fork server off if its value is `off`; for comparisons.
  package static let variable = "GALLEY_FORK_SERVER"

  /// Starts the server from the folder with its library and client; to be called before the first use of `EngineActor`.
  ///
  /// It has the environment of this moment. Variables that are set later reach the web processes only.
  package static func start(from folder: String) {
    guard let problem = problem(in: folder) else { return }
    fork_host_refuse(problem)
  }

  /// Sets the seed of `Math.random` for workers loaded from files, in web processes that start from now on; nil for the
  /// engine's own.
  ///
  /// It applies to forked web processes and to others.
  @EngineActor package static func seed(_ seed: UInt32?) { fork_host_seed(seed == nil ? 0 : 1, seed ?? 0) }

  /// Sets the time zone, by its IANA name, of web processes that start from now on, forked or not.
  @EngineActor package static func setTimeZone(_ name: String) { fork_host_set_zone(name) }

  /// Reason why a web process was last started rather than forked; nil if none of this process's web processes was.
  @EngineActor package static var reason: String? {
    let state = fork_host_look()
    guard state.refused > 0 else { return nil }
    return withUnsafeBytes(of: state.reason) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Number of web processes that the server has forked so far.
  @EngineActor package static var forked: Int { Int(clamping: fork_host_look().forked) }

  /// Problem that keeps the server from being started; nil once it is starting.
  private static func problem(in folder: String) -> String? {
    if getenv(variable).map({ String(cString: $0) }) == "off" { return "the fork server is switched off" }
    #if arch(x86_64)
      let (library, client) = ("\(folder)/libGalleyForkServer.so", "\(folder)/galley-fork-client")
      guard access(library, R_OK) == 0, access(client, X_OK) == 0 else {
        return "the fork server's library or client isn't there"
      }
      guard fork_host_find_program() != 0 else {
        return "the engine's program for web processes isn't beside its library"
      }
      let number = fork_host_start(library, client)
      return number == 0 ? nil : "the fork server can't be started: errno \(number)"
    #else
      return "the fork server hasn't been tried on this architecture"
    #endif
  }
}
