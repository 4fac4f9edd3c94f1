internal import CClock
internal import Glibc

/// The time of one session's web processes, which passes only as far as it is told to.
///
/// Every thread of a web process lives in it: scripts in all frames, animations, SMIL, images that move, and the engine's
/// own timers.
@WebKitActor package final class SteppedClock {
  /// No clock could be made.
  package struct SetUpError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  /// Nanoseconds at which the first render of a session begins.
  ///
  /// A machine's uptime is less, so time never runs backwards; and all sums up to twice this have the same precision as
  /// the doubles that the engine keeps its time in, so a session's renders are alike to the last bit.
  private static let firstEpoch: Int64 = (1 << 26) * 1_000_000_000
  /// From one render's beginning to the next one's, longer than any render.
  private static let betweenEpochs: Int64 = (1 << 18) * 1_000_000_000

  private let link: ClockLink
  private var epoch: Int64 = 0
  private var isStopped = false

  /// Makes a clock for web processes that start from now on; `library` is the path of the one that they are given.
  package init(library: String) throws(SetUpError) {
    guard access(library, R_OK) == 0 else { throw SetUpError("no library \(library)") }
    setenv("LD_PRELOAD", library, 1)
    EngineActivity.watchNetwork()
    link = try ClockLink()
  }

  /// Where the session's web processes find the clock.
  var folder: String { link.folder }

  /// Whether a web process lives in it.
  package var isJoined: Bool { link.isJoined }

  /// Time since the render began.
  package var now: Duration { .nanoseconds(link.now - epoch) }

  /// When the next timer of the web process is due, as far as it knew when it last rested; a long time hence for none.
  package var nextTimer: Duration { .nanoseconds(max(link.now, link.due) - epoch) }

  /// Stops time at the beginning of a render; `date` is what scripts take for the day and hour, in seconds since 1970.
  package func begin(date: Double) {
    epoch = epoch == 0 ? Self.firstEpoch : epoch + Self.betweenEpochs
    isStopped = false
    link.freeze(at: epoch, wall: Int64(date * 1_000) * 1_000_000)
  }

  /// Lets time pass up to this instant, timer by timer, and returns once all that follows has been done, in the web
  /// process, on the way between the processes, and here; false when the clock was stopped.
  package func advance(to instant: Duration) async -> Bool {
    let instant = epoch + Int64(instant / .nanoseconds(1))
    EngineActivity.syncWindows()
    while !isStopped {
      // Who rests before and after, and hasn't woken in between, has sent nothing that the others haven't got.
      let (restedBefore, before) = (EngineActivity.rests, turns)
      guard await link.rests(at: instant), await EngineActivity.networkRests() else { return false }
      await WebKitActor.idle()
      if restedBefore, EngineActivity.rests, turns == before { return true }
    }
    return false
  }

  /// Ends whatever waits for the clock; its web process may never come to rest.
  package func stop() {
    isStopped = true
    link.stop()
    EngineActivity.stopWaiting()
  }

  private var turns: [UInt32] { [link.turns, EngineActivity.networkTurns, EngineActivity.turns] }
}
