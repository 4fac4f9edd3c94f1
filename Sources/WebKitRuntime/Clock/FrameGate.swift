internal import CClock

/// The display's frames, which come by themselves or, with the gate shut, one at a time.
@WebKitActor package enum FrameGate {
  /// Whether frames only come when let through; for all views of this process.
  package static var isShut = false {
    didSet { frame_gate_set(isShut ? 1 : 0) }
  }

  /// Whether a page waits for one; by then the last has been passed on.
  nonisolated package static var isWanted: Bool { frame_gate_is_wanted() != 0 }

  /// Frames that were let through.
  package private(set) static var passed = 0

  /// Lets one through.
  package static func letThrough() {
    passed += 1
    frame_gate_pass()
  }

  /// Whether the calling thread is one of the display's, which is waited for wherever it is on its way.
  nonisolated static var ownsThisThread: Bool { frame_gate_is_link() != 0 }
}
