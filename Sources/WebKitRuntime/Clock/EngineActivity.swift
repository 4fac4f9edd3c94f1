internal import CClock
internal import CWebKitGTK
internal import Glibc

/// What the engine does in this process and in its network process.
@WebKitActor enum EngineActivity {
  /// The network process that this process's sessions share; nil when it can't be watched.
  private static let network = makeNetworkLink()

  /// Makes the network process, once it starts, tell what it does.
  static func watchNetwork() { _ = network }

  /// Whether the network process does.
  static var watchesNetwork: Bool { network?.isJoined == true }

  /// Answers when the network process has nothing to do but wait for others.
  static func networkRests(for time: SteppedTime, _ answer: @escaping ClockLink.Answer) {
    guard let network, network.isJoined, !isSilent || network.hasAnswered else { return answer(true) }
    isSilent = false
    askedAt = askedAt ?? .now
    network.rests(for: time) { rests in
      askedAt = nil
      answer(rests)
    }
  }

  /// Ends a render's wait for the network process; one that has long kept silent isn't waited for until it has answered.
  static func stopWaiting(for time: SteppedTime) {
    guard let network else { return }
    if let askedAt { isSilent = ContinuousClock.now - askedAt >= patience }
    network.stop(for: time)
  }

  /// Of the machine's time; a busy machine keeps the process from running for a part of it.
  private static let patience = Duration.seconds(2)
  /// Since when it has been silent; nil while nobody waits.
  private static var askedAt: ContinuousClock.Instant?
  private static var isSilent = false

  static var networkTurns: UInt32 { network?.turns ?? 0 }

  /// Returns once the X server has answered everything asked of it; what it said is handled when the loop is idle.
  static func syncWindows() { gdk_display_sync(gdk_display_get_default()) }

  /// Whether the engine's own threads in this process sleep with nothing to do.
  static var rests: Bool { clock_own_threads_rest() != 0 }

  /// How often they woke.
  static var turns: UInt32 { clock_own_threads_turns() }

  /// Where the network process finds what it tells by; nil when the environment wasn't prepared for clocks.
  static var networkFolder: String? { getenv(CLOCK_NETWORK_VARIABLE).map { String(cString: $0) } }

  private static func makeNetworkLink() -> ClockLink? {
    networkFolder.flatMap { try? ClockLink(folder: $0) }
  }
}
