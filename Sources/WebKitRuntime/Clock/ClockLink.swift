internal import CClock
internal import CWebKitGTK
internal import Engine
internal import Glibc

/// State shared with one of the engine's processes: its time, and its reports that it has nothing left to do.
@EngineActor final class ClockLink {
  /// Folder in which the process finds the shared region and its pipes.
  let folder: String
  private(set) var host = clock_host()
  private var watch: FileWatch?
  private var waiting: [(who: ObjectIdentifier, answer: Answer)] = []

  /// Callback for the end of a wait: true once the process has nothing left to do, false if the wait was ended.
  typealias Answer = @EngineActor (Bool) -> Void

  /// Creates the link in the given folder, which must exist, or in a new one.
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
    watch = FileWatch(host.rest) { [weak self] in self?.receive() }
  }

  isolated deinit {
    watch?.end()
    clock_host_close(&host)
    EngineFolders.remove(folder)
  }

  /// Indicates if the process has attached to the shared region.
  var isJoined: Bool { clock_host_is_attached(&host) != 0 }

  /// Number of times that one of the process's threads woke with work to do, as of its last answer.
  var turns: UInt32 { clock_host_wake_ups(&host) }

  /// Number of times that the process's time passed although another of its threads was still at work after the longest
  /// wait.
  var givenUp: UInt32 { clock_host_given_up(&host) }

  /// Indicates if a worker's script in the process was waiting for its turn at its last answer.
  var holdsScript: Bool { clock_host_holds(&host) != 0 }

  /// Lets the waiting worker's script continue, once the process is asked again.
  func allowScript() { clock_host_allow(&host) }

  /// Number of processes without a page that have attached.
  var others: UInt32 { clock_host_others(&host) }

  func freeze(at now: Int64, wall: Int64) { clock_host_freeze(&host, now, wall) }

  /// Advances time, while the process sleeps, to an instant before which nothing is due.
  func pass(to timestamp: Int64) { clock_host_pass(&host, timestamp) }

  var now: Int64 { clock_host_now(&host) }

  /// Keeps the process, which has answered, at the instant that it has reached.
  func stay() { clock_host_stay(&host) }

  var isUnseen = false {
    didSet { clock_host_set_unseen(&host, isUnseen ? 1 : 0) }
  }

  var isUnwatched = false {
    didSet { clock_host_set_unwatched(&host, isUnwatched ? 1 : 0) }
  }

  /// Indicates if pages show an older frame than they drew last.
  var showsOlderFrame: Bool { clock_host_shows_older_frame(&host) != 0 }

  /// Indicates if a page has used what was drawn in an older frame.
  var usedOlderFrame: Bool { clock_host_used_older_frame(&host) != 0 }

  /// Sets if sessions that the network process begins from now on may have any number of connections.
  func setManyConnections(_ hasMany: Bool) { clock_host_set_many_connections(&host, hasMany ? 1 : 0) }

  /// Time of the next wake-up that the process had planned at its last answer, in nanoseconds of its clock.
  var due: Int64 { clock_host_due(&host) }

  /// Asks the process to finish its work and calls `answer` once it has nothing left to do; a web process advances to
  /// `timestamp`.
  func rests(at timestamp: Int64 = 0, for who: VirtualTime, _ answer: @escaping Answer) {
    waiting.append((ObjectIdentifier(who), answer))
    clock_host_request(&host, timestamp)
  }

  /// Indicates if the process has answered the latest request.
  var hasAnswered: Bool { clock_host_rests(&host) != 0 }

  /// Ends all waits of this render; each gets false.
  func stop(for who: VirtualTime) { answer(false) { $0 == ObjectIdentifier(who) } }

  private func receive() {
    guard hasAnswered else { return }
    answer(true) { _ in true }
  }

  private func answer(_ rests: Bool, to isMeant: (ObjectIdentifier) -> Bool) {
    let answers = waiting.filter { isMeant($0.who) }.map(\.answer)
    waiting.removeAll { isMeant($0.who) }
    for answer in answers { answer(rests) }
  }
}

/// Activity of the engine in this process and in its network process.
@EngineActor enum EngineActivity {
  /// The network process that this process's sessions share; nil when it can't be watched.
  private static let network = makeNetworkLink()

  /// Creates the link by which the network process, once it starts, reports its activity.
  static func watchNetwork() { _ = network }

  /// Indicates if the network process reports its activity.
  static var watchesNetwork: Bool { network?.isJoined == true }

  /// Calls `answer` once the network process has nothing to do but wait for others.
  static func networkRests(for time: VirtualTime, _ answer: @escaping ClockLink.Answer) {
    guard let network, network.isJoined, !isSilent || network.hasAnswered else { return answer(true) }
    isSilent = false
    askedAt = askedAt ?? .now
    network.rests(for: time) { rests in
      askedAt = nil
      answer(rests)
    }
  }

  /// Ends a render's wait for the network process.
  ///
  /// If the process hasn't answered for `patience` by then, later calls of `networkRests` don't wait for it until it
  /// has answered.
  static func stopWaiting(for time: VirtualTime) {
    guard let network else { return }
    if let askedAt { isSilent = ContinuousClock.now - askedAt >= patience }
    network.stop(for: time)
  }

  /// Longest silence of the network process, in machine time; on a busy machine it doesn't run during part of it.
  private static let patience = Duration.seconds(2)
  /// Time of the oldest request that the network process hasn't answered; nil if there is none.
  private static var askedAt: ContinuousClock.Instant?
  private static var isSilent = false

  /// Sets if network sessions that begin from now on may have any number of connections.
  static func setManyConnections(_ hasMany: Bool) { network?.setManyConnections(hasMany) }

  static var networkTurns: UInt32 { network?.turns ?? 0 }

  /// Returns once the X server has answered all requests; its events are handled by the time the loop is idle.
  static func syncWindows() { gdk_display_sync(gdk_display_get_default()) }

  /// Indicates if the engine's own threads in this process sleep with nothing to do.
  static var rests: Bool { clock_own_threads_rest() != 0 }

  /// Number of times that those threads woke.
  static var turns: UInt32 { clock_own_threads_wake_ups() }

  /// Folder by which the network process reports its activity; nil if the environment wasn't prepared for clocks.
  static var networkFolder: String? { getenv(CLOCK_NETWORK_VARIABLE).map { String(cString: $0) } }

  private static func makeNetworkLink() -> ClockLink? {
    networkFolder.flatMap { try? ClockLink(folder: $0) }
  }
}
