internal import Core

/// Condition that has to differ when a creative is rendered again, which only its page could reveal.
enum Rerun: Hashable {
  /// The creative is drawn by a compositor.
  case composited
  /// WebGL draws each frame.
  case drawn
  /// The banner has the size that its document states, in dip.
  case sized(Size)
}

/// Conditions of an attempt to render a creative that an earlier attempt may have found to be necessary.
struct RenderAttempt {
  /// Indicates if pages are drawn by a compositor.
  var isComposited: Bool
  /// Size of the banner that the document at an address states, in dip; nil while it hasn't been asked.
  var said: Size?
  /// Indicates if WebGL may leave out frames of which no picture is taken.
  var mayLeaveOutFrames = true

  /// Sets what the last attempt has found.
  mutating func change(for rerun: Rerun) {
    switch rerun {
    case .composited: isComposited = true
    case .drawn: mayLeaveOutFrames = false
    case .sized(let size): said = size
    }
  }
}
