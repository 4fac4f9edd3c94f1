/// Something met on the way that a person should look at; nothing is judged by it.
package struct Oddity: Hashable, Sendable {
  /// Stable codes, written as they stand.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// A tap on what calls itself tappable led to no call, event, change of the page or of the picture.
    case deadTap = "dead-tap"
    /// No swipe over what calls itself movable led to anything.
    case deadSwipe = "dead-swipe"
    /// A field that takes none of what is typed into it.
    case deadField = "dead-field"
    /// A state, not the first, that nothing tried there leaves.
    case noWayOut = "no-way-out"
    /// A close control can't be reached: the creative's own is covered or outside what can be seen, or the host's is.
    case closeCovered = "close-covered"
    /// Something tappable of the creative's that isn't for closing lies under the host's close control.
    case underClose = "under-close"
    /// A click that led out of the ad past `mraid.open`.
    case clickWithoutOpen = "click-without-open"
    /// `open()` without anybody's tap.
    case openWithoutGesture = "open-without-gesture"
    /// The creative tried to leave its document, or to open a window, without anybody's tap.
    case unaskedNavigation = "unasked-navigation"
    /// A call that the standard gives no effect in that state, or before `ready`.
    case callIgnored = "call-ignored"
    case callPremature = "call-premature"
    /// An `error` event of the host's.
    case errorEvent = "error-event"
    case exception
    case rejection
    /// Rotating, scrolling or leaving the app and coming back led elsewhere.
    case journeyChanged = "journey-changed"
    /// The way to a state led elsewhere when it was gone again.
    case unsteady
    /// A trial that didn't complete: its web process died, its time was over, a step couldn't be done.
    case crashed
    case timedOut = "timed-out"
    case stepFailed = "step-failed"
  }

  package let code: Code
  /// One line.
  package let message: String
  /// The state it was met in, nil while loading.
  package let state: Int?
  /// What was done there.
  package let action: String?
  /// The trial that met it first.
  package let trial: Int
  /// In how many trials it was met.
  package internal(set) var count = 1
}
