internal import CClock
internal import Glibc

/// The clock of one session's web processes, whose time passes only as far as it is told to: one render's after the other.
///
/// Every thread of a web process lives in it: scripts in all frames, animations, SMIL, images that move, and the engine's
/// own timers.
@WebKitActor package final class VirtualClock {
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

  /// Gives every process of the engine that starts from now on the library with which it can live in a clock.
  ///
  /// They inherit this process's environment, so it is one for all its renders: a process renders in one kind of time.
  /// Call it before other threads run, as they may read the environment.
  package nonisolated static func prepareEnvironment(library: String) throws(SetUpError) {
    guard PreloadedLibraries.add(library) else { throw SetUpError("no library \(library)") }
    guard let folder = EngineFolders.make() else { throw SetUpError("no folder for the clock: errno \(errno)") }
    // The engine shares out its time between the page and collecting garbage beside it: in time that stands still the one
    // would wait for the other for ever.
    setenv("JSC_useConcurrentGC", "0", 1)
    setenv(CLOCK_NETWORK_VARIABLE, folder, 1)
  }

  /// Makes a clock for web processes that start from now on; only where the environment was prepared for it.
  package init() throws(SetUpError) {
    guard EngineActivity.networkFolder != nil else { throw SetUpError("this process lives in the machine's time") }
    EngineActivity.watchNetwork()
    link = try ClockLink()
  }

  /// Where the session's web processes find the clock.
  var folder: String { link.folder }

  /// Whether a web process lives in it.
  package var isJoined: Bool { link.isJoined }

  /// Whether it waits for what is on its way through the network process as well; false for one that was there before
  /// the first clock.
  package var watchesNetwork: Bool { EngineActivity.watchesNetwork }

  /// Has pages paint from now on, since somebody looks.
  func resumePainting() { link.isUnseen = false }

  /// Stops time at the beginning of a render; `date` is what scripts take for the day and hour, in seconds since 1970.
  package func begin(date: Double) -> VirtualTime {
    epoch = epoch == 0 ? Self.firstEpoch : epoch + Self.betweenEpochs
    return VirtualTime(link: link, epoch: epoch, date: date)
  }
}

/// The display's frames, which come by themselves or, with the gate shut, one at a time.
@WebKitActor package enum FrameGate {
  /// Whether frames only come when let through; for all views of this process.
  package static var isShut = false {
    didSet { frame_gate_set(isShut ? 1 : 0) }
  }

  /// Whether a page waits for one; by then the last has been passed on.
  nonisolated package static var isWanted: Bool { frame_gate_is_wanted() != 0 }

  /// Lets one through.
  package static func releaseFrame() { frame_gate_pass() }

  /// Whether the calling thread is one of the display's, which is waited for wherever it is on its way.
  nonisolated static var ownsThisThread: Bool { frame_gate_is_link() != 0 }
}
