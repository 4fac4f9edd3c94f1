package import Core
internal import Device
internal import MRAID

extension RenderJob {
  /// Refuses a job of any source with a number, text or name beyond its bounds, so that later code can't trap.
  ///
  /// - Throws: `job-value-invalid`, with the name of the member and its bounds.
  package func validate() throws(Fault) {
    try JobBounds.check(id, "id", in: 0...JobBounds.mostJobs)
    try JobBounds.check(attempt, "attempt", in: 1...1_000)
    try JobBounds.check(path: output, "output")
    try creative.validate("creative")
    try device.validate()
    try placement.validate("placement")
    try scenario?.validate()
    try feed?.validate()
    try limits.validate()
    try options.validate()
    try JobBounds.check(warnings, "warnings", most: 1_000, longest: 1 << 16)
  }
}

/// Bounds of a job's values, each above the maximum in options and requests.
private enum JobBounds {
  static let mostJobs = 4_000_000_000
  /// Maximum number of steps in a scenario; exploring adds some of its own to those of a file.
  static let mostSteps = 5_000
  /// Range of durations in seconds.
  static let seconds = 0.0...86_400.0
  /// Maximum length of a script or of typed text, in bytes.
  static let longestText = 4 << 20

  static func refuse(_ member: String, _ detail: String) -> Fault {
    .request("job-value-invalid", "\(member) \(detail)")
  }

  static func check(_ value: Int, _ member: String, in range: ClosedRange<Int>) throws(Fault) {
    guard range.contains(value) else {
      throw refuse(member, "must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
  }

  static func check(_ value: Double?, _ member: String, in range: ClosedRange<Double>) throws(Fault) {
    // No range contains NaN.
    guard let value, !range.contains(value) else { return }
    throw refuse(member, "must be from \(range.lowerBound.plain) to \(range.upperBound.plain), not \(value.plain)")
  }

  static func check(_ text: String?, _ member: String, longest: Int) throws(Fault) {
    guard let text else { return }
    guard text.utf8.count <= longest else { throw refuse(member, "has more than \(longest) bytes") }
    guard !text.utf8.contains(0) else { throw refuse(member, "contains a null character") }
  }

  static func check(_ texts: [String], _ member: String, most: Int, longest: Int) throws(Fault) {
    guard texts.count <= most else { throw refuse(member, "has more than \(most) parts") }
    for text in texts { try check(text, member, longest: longest) }
  }

  static func check(path: String?, _ member: String) throws(Fault) {
    guard let path else { return }
    guard path.hasPrefix("/") else { throw refuse(member, "must be an absolute path") }
    try check(path, member, longest: 4_096)
  }

  /// Checks the name of a file or folder, which must not be a path to another.
  static func check(name: String, _ member: String) throws(Fault) {
    guard AbsolutePath.isPlainName(name) else { throw refuse(member, "must be a plain name") }
  }

  /// Checks the name of a creative: a path below the searched folder that must not lead to another.
  static func check(creative name: String, _ member: String) throws(Fault) {
    guard AbsolutePath.isPlain(name) else { throw refuse(member, "must be a plain name") }
  }

  /// Checks a text that becomes part of a request's header, in which a line end would begin another line.
  static func check(line: String, _ member: String, longest: Int) throws(Fault) {
    try check(line, member, longest: longest)
    guard line.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
      throw refuse(member, "must be one line without control characters")
    }
  }
}

extension CreativeReference {
  fileprivate func validate(_ member: String) throws(Fault) {
    try JobBounds.check(argument, "\(member).argument", longest: 1 << 16)
    try JobBounds.check(path: path, "\(member).path")
    try JobBounds.check(creative: name, "\(member).name")
  }
}

extension FeedReference {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(argument, "feed.argument", longest: 1 << 16)
    try JobBounds.check(path: path, "feed.path")
    guard creatives.count <= 1_000 else { throw JobBounds.refuse("feed.creatives", "has more than 1000 parts") }
    for creative in creatives { try creative.validate("feed.creatives") }
  }
}

extension Device {
  /// Refuses a screen, an inset or a text beyond the values that an engine accepts.
  package func validate() throws(Fault) {
    try JobBounds.check(line: name, "device.name", longest: 255)
    try JobBounds.check(screen.width, "device.screen.width", in: 50...4096)
    try JobBounds.check(screen.height, "device.screen.height", in: 50...4096)
    try JobBounds.check(scale, "device.scale", in: 1...4)
    guard pixels <= 100_000_000 else {
      throw JobBounds.refuse("device.screen", "has more than 100 million physical pixels")
    }
    for (area, member) in [(safeArea, "safeArea"), (safeAreaLandscape, "safeAreaLandscape")] {
      for side in [area.top, area.left, area.bottom, area.right] {
        try JobBounds.check(side, "device.\(member)", in: 0...4096)
      }
    }
    try JobBounds.check(line: userAgent, "device.userAgent", longest: 2_000)
    try JobBounds.check(line: platform, "device.platform", longest: 200)
    try JobBounds.check(Array(capabilities.supports), "device.capabilities.supports", most: 100, longest: 100)
  }
}

extension Placement {
  fileprivate func validate(_ member: String) throws(Fault) {
    try JobBounds.check(size?.width, "\(member).size.width", in: 1...10_000)
    try JobBounds.check(size?.height, "\(member).size.height", in: 1...10_000)
  }
}

extension Limits {
  /// Range of a render's timeout in seconds.
  package static let timeouts = 0.1...3_600.0
  /// Range of a creative's memory limit in mebibytes; a web process that shows nothing already takes about 160.
  package static let memories = 256...65_536

  /// Refuses a limit that the command line doesn't accept.
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(timeout, "limits.timeout", in: Self.timeouts)
    try JobBounds.check(memory, "limits.memory", in: Self.memories)
  }
}

extension RenderOptions {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(date, "options.date", in: -62_135_596_800...253_402_300_799)
    try JobBounds.check(idleTime, "options.idleTime", in: JobBounds.seconds)
    try JobBounds.check(measureTime, "options.measureTime", in: JobBounds.seconds)
    try JobBounds.check(bridge, "options.bridge", longest: JobBounds.longestText)
    try network.validate()
    try traffic?.validate()
    try captures.validate()
    try film?.validate()
  }
}

extension NetworkPolicy {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(allowed, "options.network.allowed", most: 1_000, longest: 100)
    guard allowed.allSatisfy({ AddressBlock($0) != nil }) else {
      throw JobBounds.refuse("options.network.allowed", "must contain blocks of addresses like 10.1.0.0/16")
    }
  }
}

extension TrafficOptions {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(path: folder, "options.traffic.folder")
    try JobBounds.check(profile, "options.traffic.profile", longest: 1_000)
    try JobBounds.check(faults, "options.traffic.faults", most: 1_000, longest: 10_000)
  }
}

extension CaptureSchedule {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(instants.count, "options.captures.instants", in: 0...Self.mostTimestamps)
    for instant in instants { try JobBounds.check(instant, "options.captures.instants", in: JobBounds.seconds) }
    guard let filmstrip else { return }
    try JobBounds.check(filmstrip.interval, "options.captures.filmstrip.interval", in: 0.01...3_600)
    try JobBounds.check(filmstrip.length, "options.captures.filmstrip.length", in: 0...3_600)
  }
}

extension FilmRequest {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(length, "options.film.length", in: Self.lengths)
    try JobBounds.check(scale, "options.film.scale", in: 1...8)
  }
}

extension Scenario {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(source, "scenario.source", longest: 1 << 16)
    try placement?.validate("scenario.placement")
    try JobBounds.check(steps.count, "scenario.steps", in: 0...JobBounds.mostSteps)
    for step in steps {
      try JobBounds.check(step.line, "scenario.steps.line", in: 0...JobBounds.mostJobs)
      try step.action.validate()
    }
  }
}

extension GameBudget {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(seconds, "scenario.steps.play.seconds", in: 1...600)
    try JobBounds.check(moves, "scenario.steps.play.moves", in: 1...1_000)
  }
}

extension Scenario.Action {
  private static let member = "scenario.steps"

  fileprivate func validate() throws(Fault) {
    switch self {
    case .wait(let wait): try wait.validate()
    case .tap(let target): try target.validate()
    case .press(let target, let seconds):
      try target.validate()
      try JobBounds.check(seconds, "\(Self.member).press", in: 0...60)
    case .tapCovered(let selector): try Scenario.Target.selector(selector).validate()
    case .swipe(let from, let to):
      try from.validate()
      try to.validate()
    case .type(let text, let into):
      try JobBounds.check(text, "\(Self.member).type", longest: JobBounds.longestText)
      try into?.validate()
    case .choose(let option, let target):
      try JobBounds.check(option, "\(Self.member).choose", longest: JobBounds.longestText)
      try target.validate()
    case .volume(let volume): try JobBounds.check(volume, "\(Self.member).volume", in: 0...100)
    case .scroll(let place): try JobBounds.check(place, "\(Self.member).scroll", in: 0...100_000)
    case .app(.days(let days)): try JobBounds.check(days, "\(Self.member).days", in: 0...10_000)
    case .app(.update(let version)): try JobBounds.check(version, "\(Self.member).update", longest: 200)
    case .swipeOver, .evaluate, .expect, .screenshot, .observe: try validateTexts()
    case .play(let budget): try budget.validate()
    case .close, .rotate, .background, .foreground, .app, .reach: break
    }
  }

  private func validateTexts() throws(Fault) {
    switch self {
    case .swipeOver(let text, _), .evaluate(let text):
      try JobBounds.check(text, "\(Self.member).text", longest: JobBounds.longestText)
    case .screenshot(let name), .observe(let name): try JobBounds.check(name: name, "\(Self.member).screenshot")
    case .expect(let expectations):
      try JobBounds.check(expectations.count, "\(Self.member).expect", in: 0...10_000)
      for expectation in expectations {
        guard case .event(_, let count?, _) = expectation else { continue }
        try JobBounds.check(count, "\(Self.member).expect.count", in: 0...JobBounds.mostJobs)
      }
    default: break
    }
  }
}

extension Scenario.Target {
  fileprivate func validate() throws(Fault) {
    switch self {
    case .selector(let text): try JobBounds.check(text, "scenario.steps.selector", longest: JobBounds.longestText)
    case .point(let point):
      try JobBounds.check(point.x, "scenario.steps.x", in: -10_000...10_000)
      try JobBounds.check(point.y, "scenario.steps.y", in: -10_000...10_000)
    }
  }
}

extension Scenario.WaitCondition {
  fileprivate func validate() throws(Fault) {
    try JobBounds.check(timeout, "scenario.steps.wait.timeout", in: JobBounds.seconds)
    switch condition {
    case .seconds(let seconds): try JobBounds.check(seconds, "scenario.steps.wait.seconds", in: JobBounds.seconds)
    case .event(let name, let count):
      try JobBounds.check(name, "scenario.steps.wait.event", longest: 10_000)
      try JobBounds.check(count, "scenario.steps.wait.count", in: 0...JobBounds.mostJobs)
    case .visible(let text): try JobBounds.check(text, "scenario.steps.wait.visible", longest: JobBounds.longestText)
    case .state: break
    }
  }
}
