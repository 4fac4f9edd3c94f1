/// A transition the host was asked for and hasn't answered yet.
struct PendingTransition: Hashable, Sendable {
  var target: MRAIDState
  var cause: String
  /// Who asked; nil for the host's own close control.
  var origin: AdPart?
  /// Whether it brings the second part's page.
  var opensPartTwo: Bool
  /// What to go back to when it fails.
  var orientationBefore: OrientationProperties
  /// The content area that a resized ad's frame was made for; the device may turn before it stands.
  var bounds: Size?
  /// Whether the ad only finds a new place in the state it has: no `stateChange` and no `error`.
  var isRefit = false

  /// What `error` names as the action.
  var action: String { cause == "hostClose" ? "close" : cause }
}

/// What the host told of the screen while a transition was pending; `presented` supersedes it.
struct HeldGeometry: Hashable, Sendable {
  var geometry: HostGeometry?
  var exposure: Exposure
  var time: Double?
}
