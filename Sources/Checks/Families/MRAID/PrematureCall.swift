internal import Jobs
internal import MRAID

extension Check {
  static let prematureCall = Check(
    "premature-call", family: .mraid, severity: .error, title: "Call before ready",
    why: "Before ready a container may ignore any call, and the ad then stays blank or dead there.",
    remedy: "Ask mraid.getState() first; while it is \"loading\", do everything in a listener for ready.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    // Between loading and ready the state is another's already, and only the container knows.
    let called = evidence.events(.creative, actions).filter { $0.event.detail["state"]?.string == "loading" }
    let told = evidence.events(.mraid, "premature")
    let name: (Evidence.Met) -> String = { $0.event.source == .mraid ? $0.text("command") : $0.event.name }
    return evidence.remarks(on: called + told, subject: name) { "\(name($0))() was called before ready" }
  }

  /// What an ad has no use for before `ready`. It may ask for the state, the version and what is supported, listen,
  /// offer its VPAID object and unload; sizes and positions have a check of their own.
  private static let actions = [
    "open", "close", "expand", "resize", "playVideo", "storePicture", "createCalendarEvent", "useCustomClose",
    "setExpandProperties", "setResizeProperties", "setOrientationProperties", "isViewable",
  ]
}
