internal import CClock
internal import CWebKitGTK
internal import Glibc

/// What is shared with one of the engine's processes: its time, and word of when it rests.
@WebKitActor final class ClockLink {
  /// Where the process finds it.
  let folder: String
  private(set) var host = clock_host()
  private var watch: UnsafeMutablePointer<GSource>?
  private var waiting: [(who: ObjectIdentifier, answer: Answer)] = []

  /// Takes whether the process rests; false when the wait was ended.
  typealias Answer = @WebKitActor (Bool) -> Void

  /// In a new folder, or in one that is there.
  init(folder given: String? = nil) throws(VirtualClock.SetUpError) {
    guard let made = given ?? EngineFolders.make() else {
      throw VirtualClock.SetUpError("no folder for the clock: errno \(errno)")
    }
    folder = made
    let problem = clock_host_open(&host, folder)
    guard problem == 0 else {
      EngineFolders.remove(made)
      throw VirtualClock.SetUpError("no clock can be made: errno \(problem)")
    }
    watch = galley_watch_file(host.rest, { _, _, data in onRest(data) }, Unmanaged.passUnretained(self).toOpaque())
  }

  isolated deinit {
    if let watch {
      g_source_destroy(watch)
      g_source_unref(watch)
    }
    clock_host_close(&host)
    EngineFolders.remove(folder)
  }

  /// Whether the process has come.
  var isJoined: Bool { clock_host_is_attached(&host) != 0 }

  /// How often it had something to do, when it last rested.
  var turns: UInt32 { clock_host_turns(&host) }

  /// How often its time passed though another of its threads had more to do than it was waited for.
  var givenUp: UInt32 { clock_host_given_up(&host) }

  /// Whether a worker's script in it waits until everybody rests, when it last rested.
  var holdsScript: Bool { clock_host_holds(&host) != 0 }

  /// Lets it go on, once the process is asked again.
  func allowScript() { clock_host_allow(&host) }

  /// How many processes without a page have come.
  var others: UInt32 { clock_host_others(&host) }

  func freeze(at now: Int64, wall: Int64) { clock_host_freeze(&host, now, wall) }

  /// Lets time pass while the process sleeps, to an instant before which nothing is due.
  func pass(to timestamp: Int64) { clock_host_pass(&host, timestamp) }

  var now: Int64 { clock_host_now(&host) }

  /// Has the process, which has answered, wait at the instant to which it has come.
  func stay() { clock_host_stay(&host) }

  var isUnseen = false {
    didSet { clock_host_set_unseen(&host, isUnseen ? 1 : 0) }
  }

  /// Whether sessions of the network process that begin now may have any number of connections.
  func setManyConnections(_ hasMany: Bool) { clock_host_set_many_connections(&host, hasMany ? 1 : 0) }

  /// When the process would wake by itself, when it last rested.
  var due: Int64 { clock_host_due(&host) }

  /// Answers when the process has nothing left to do, a web process at this instant.
  func rests(at timestamp: Int64 = 0, for who: VirtualTime, _ answer: @escaping Answer) {
    waiting.append((ObjectIdentifier(who), answer))
    clock_host_request(&host, timestamp)
  }

  /// Whether it has answered what it was asked last.
  var hasAnswered: Bool { clock_host_rests(&host) != 0 }

  /// Ends the waits of one who asked.
  func stop(for who: VirtualTime) { answer(false) { $0 == ObjectIdentifier(who) } }

  fileprivate func receive() {
    guard hasAnswered else { return }
    answer(true) { _ in true }
  }

  private func answer(_ rests: Bool, to isMeant: (ObjectIdentifier) -> Bool) {
    let answers = waiting.filter { isMeant($0.who) }.map(\.answer)
    waiting.removeAll { isMeant($0.who) }
    for answer in answers { answer(rests) }
  }
}

private func onRest(_ data: gpointer?) -> gboolean {
  guard let data else { return 0 }
  let address = UInt(bitPattern: data)
  WebKitActor.assumeIsolated {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<ClockLink>.fromOpaque(pointer).takeUnretainedValue().receive()
  }
  return 1
}

/// What the engine does in this process and in its network process.
@WebKitActor enum EngineActivity {
  /// The network process that this process's sessions share; nil when it can't be watched.
  private static let network = makeNetworkLink()

  /// Makes the network process, once it starts, tell what it does.
  static func watchNetwork() { _ = network }

  /// Whether the network process does.
  static var watchesNetwork: Bool { network?.isJoined == true }

  /// Answers when the network process has nothing to do but wait for others.
  static func networkRests(for time: VirtualTime, _ answer: @escaping ClockLink.Answer) {
    guard let network, network.isJoined, !isSilent || network.hasAnswered else { return answer(true) }
    isSilent = false
    askedAt = askedAt ?? .now
    network.rests(for: time) { rests in
      askedAt = nil
      answer(rests)
    }
  }

  /// Ends a render's wait for the network process; one that has long kept silent isn't waited for until it has answered.
  static func stopWaiting(for time: VirtualTime) {
    guard let network else { return }
    if let askedAt { isSilent = ContinuousClock.now - askedAt >= patience }
    network.stop(for: time)
  }

  /// Of the machine's time; a busy machine keeps the process from running for a part of it.
  private static let patience = Duration.seconds(2)
  /// Since when it has been silent; nil while nobody waits.
  private static var askedAt: ContinuousClock.Instant?
  private static var isSilent = false

  /// Whether sessions that begin now may have any number of connections.
  static func setManyConnections(_ hasMany: Bool) { network?.setManyConnections(hasMany) }

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
