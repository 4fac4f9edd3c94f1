internal import CForkServer
internal import Glibc

/// The process that web processes are forked from, so that none has to be linked anew.
///
/// It is the engine's own program for web processes, stopped right before its main; it runs no page and has nothing of
/// the network. Where it can't be had, web processes start as the engine starts them.
package enum ForkServer {
  /// Names the environment entry by which it is switched off, with the value `off`, for comparisons.
  package static let variable = "GALLEY_FORK_SERVER"

  /// Starts it from the folder with its library and client; before the first use of `WebKitActor`.
  ///
  /// It has the environment of this moment. What of it is set later, only web processes have.
  package static func start(from folder: String) {
    guard let problem = problem(in: folder) else { return }
    fork_host_refuse(problem)
  }

  /// What `Math.random` begins with in workers that come from files, in web processes that start from now on; nil leaves it
  /// to the engine. Whether or not they are forked.
  @WebKitActor package static func seed(_ seed: UInt32?) { fork_host_seed(seed == nil ? 0 : 1, seed ?? 0) }

  /// Why one of this process's web processes or more were started rather than forked; nil where none was.
  @WebKitActor package static var reason: String? {
    let state = fork_host_look()
    guard state.refused > 0 else { return nil }
    return withUnsafeBytes(of: state.reason) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// How many web processes it has forked so far.
  @WebKitActor package static var forked: Int { Int(clamping: fork_host_look().forked) }

  /// What keeps it from being started; nil once it is on its way.
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
