internal import CClock
internal import CWebKitGTK
internal import Glibc

/// What the engine does in this process and in its network process.
@WebKitActor enum EngineActivity {
  /// The network process that this process's sessions share; nil when it can't be watched.
  private static let network = makeNetworkLink()

  /// Makes the network process, once it starts, tell what it does.
  static func watchNetwork() { _ = network }

  /// Answers when the network process has nothing to do but wait for others.
  static func networkRests(_ answer: @escaping ClockLink.Answer) {
    guard let network, network.isJoined, !networkIsLost else { return answer(true) }
    networkIsAsked = true
    network.rests { rests in
      networkIsAsked = false
      answer(rests)
    }
  }

  /// Ends the wait for the network process, which isn't asked again.
  static func stopWaiting() {
    guard networkIsAsked else { return }
    networkIsLost = true
    network?.stop()
  }

  private static var networkIsAsked = false
  private static var networkIsLost = false

  static var networkTurns: UInt32 { network?.turns ?? 0 }

  /// Returns once the X server has answered everything asked of it; what it said is handled when the loop is idle.
  static func syncWindows() { gdk_display_sync(gdk_display_get_default()) }

  /// Whether the engine's own threads in this process sleep with nothing to do.
  static var rests: Bool { clock_own_threads_rest() != 0 }

  /// How often they woke.
  static var turns: UInt32 { clock_own_threads_turns() }

  private static func makeNetworkLink() -> ClockLink? {
    let link = try? ClockLink()
    if let link { setenv(CLOCK_NETWORK_VARIABLE, link.folder, 1) }
    return link
  }
}
