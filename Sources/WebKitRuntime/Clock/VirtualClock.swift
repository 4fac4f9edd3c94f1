internal import CClock
package import Engine
internal import Glibc

/// Clock of one session's web processes, whose time advances only on request: for one render after the other.
///
/// Every thread of a web process uses it: scripts in all frames, animations, SMIL, animated images, and the engine's
/// own timers.
@EngineActor package final class VirtualClock {
  /// Error if no clock could be made.
  package struct SetUpError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  /// Nanoseconds at which the first render of a session begins.
  ///
  /// A machine's uptime is less, so time never runs backwards; and all sums up to twice this have the same precision as
  /// the doubles that the engine keeps its time in, so a session's renders are alike to the last bit.
  private static let firstEpoch: Int64 = (1 << 26) * 1_000_000_000
  /// Nanoseconds from the beginning of one render to that of the next, longer than any render.
  private static let betweenEpochs: Int64 = (1 << 18) * 1_000_000_000

  private let link: ClockLink
  private var epoch: Int64 = 0

  /// Preloads, into every process of the engine that starts from now on, the library by which it can run on a clock.
  ///
  /// They inherit this process's environment, so it holds for all its renders: a process renders either in virtual time
  /// or in the machine's. Call it before other threads run, as they may read the environment.
  package nonisolated static func prepareEnvironment(library: String) throws(SetUpError) {
    guard PreloadedLibraries.add(library) else { throw SetUpError("no library \(library)") }
    guard let folder = EngineFolders.make() else { throw SetUpError("no folder for the clock: errno \(errno)") }
    // The engine shares out its time between the page and collecting garbage beside it: in time that stands still the one
    // would wait for the other for ever.
    setenv("JSC_useConcurrentGC", "0", 1)
    setenv(CLOCK_NETWORK_VARIABLE, folder, 1)
  }

  /// Creates a clock for web processes that start from now on; throws unless the environment was prepared for it.
  package init() throws(SetUpError) {
    guard EngineActivity.networkFolder != nil else { throw SetUpError("this process lives in the machine's time") }
    EngineActivity.watchNetwork()
    link = try ClockLink()
  }

  /// Folder in which the session's web processes find the clock.
  var folder: String { link.folder }

  /// Indicates if a web process runs on this clock.
  package var isJoined: Bool { link.isJoined }

  /// Indicates if the clock also waits for data on its way through the network process.
  ///
  /// False for a network process that was running before the first clock was made.
  package var watchesNetwork: Bool { EngineActivity.watchesNetwork }

  /// Makes pages paint from now on, as their output is needed.
  func resumePainting() { link.isUnseen = false }

  /// Stops time at the beginning of a render; `date` is the date and time that scripts see, in seconds since 1970.
  package func begin(date: Double) -> VirtualTime {
    epoch = epoch == 0 ? Self.firstEpoch : epoch + Self.betweenEpochs
    return VirtualTime(link: link, epoch: epoch, date: date)
  }
}

/// Frames of the display, which come continuously or, while the gate is shut, one at a time.
@EngineActor package enum FrameGate {
  /// Indicates if frames come only when released; applies to all views of this process.
  package static var isShut = false {
    didSet { frame_gate_set(isShut ? 1 : 0) }
  }

  /// Indicates if a page waits for a frame; the previous frame has been passed on by then.
  nonisolated package static var isWanted: Bool { frame_gate_is_wanted() != 0 }

  /// Releases one frame.
  package static func releaseFrame() { frame_gate_pass() }

  /// Indicates if the calling thread is one of the display's links, whose sleep the gate controls.
  nonisolated static var ownsThisThread: Bool { frame_gate_is_link() != 0 }
}
