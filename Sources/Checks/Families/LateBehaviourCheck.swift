internal import Core
internal import RenderModel

/// Behaviour of an ad after the time in which reviewers observe it.
enum LateBehaviourCheck {
  static let check = Check(
    "late-behaviour", family: .security, severity: .error, title: "Late behaviour",
    why: "An ad that navigates, opens a page or plays sound only after a review hides its behaviour.",
    remedy: "Act at once or on a tap; end timers, requests and loops with the animation.",
    source: .googleMisconduct, needs: .rendered.union([.lateObservation])
  ) { context in
    guard let late = context.late else { return nil }
    return deeds(late) + sounds(late) + requests(late) + cut(late)
  }

  /// Returns issues for late actions: errors if they would be errors early as well, else lower severities.
  private static func deeds(_ late: LateBehaviour) -> [CheckIssue] {
    var known: Set<String> = []
    return late.events.compactMap { event in
      guard let deed = Deed(event), known.insert(deed.subject).inserted else { return nil }
      var issue = CheckIssue("\(time(event.t)): \(deed.text)", subject: deed.subject, event: late.number(of: event))
      issue.severity = deed.severity
      return issue
    }
  }

  private static func sounds(_ late: LateBehaviour) -> [CheckIssue] {
    late.watch.sounds.map {
      CheckIssue(
        "\(time($0.t)): \($0.selector) plays with sound without a user gesture", subject: "sound \($0.selector)")
    }
  }

  /// Returns one issue per host with late requests: the time of the first, and their number.
  private static func requests(_ late: LateBehaviour) -> [CheckIssue] {
    let all = late.events.filter { $0.source == .network && $0.isNamed(.resource) }
    let byHost = Dictionary(grouping: all) { host(of: $0.detail["url"]?.string ?? "") }
    return byHost.sorted { ($0.value[0].seq, $0.key) < ($1.value[0].seq, $1.key) }.map { host, events in
      let count = events.count == 1 ? "a request" : "the first of \(events.count) requests"
      var issue = CheckIssue(
        "\(time(events[0].t)): \(count) to \(host)", subject: "request \(host)", event: late.number(of: events[0]))
      issue.severity = .note
      return issue
    }
  }

  /// Returns a note if the ad kept the machine so busy that it wasn't watched for the whole minute.
  private static func cut(_ late: LateBehaviour) -> [CheckIssue] {
    guard late.watch.until < LateWatch.end - 1_000 else { return [] }
    var issue = CheckIssue(
      "the ad keeps the machine so busy that it was observed for only \((late.watch.until / 1_000).rounded().plain) s",
      subject: "unwatched")
    issue.severity = .note
    return [issue]
  }

  private static func host(of url: String) -> String {
    guard let colon = url.firstRange(of: "://") else { return String(url.prefix { $0 != ":" }) + ":" }
    return String(url[colon.upperBound...].prefix { !"/?#".contains($0) })
  }

  private static func time(_ milliseconds: Double) -> String { "after \((milliseconds / 1_000).rounded().plain) s" }
}

extension LateBehaviour {
  /// Returns the number of an event in the render's own log; nil for one of another render.
  fileprivate func number(of event: Event) -> Int? { isOfOwnLog ? event.seq : nil }
}

/// A late action that is worth reporting.
private struct Deed {
  let subject: String
  let text: String
  let severity: Severity

  init?(_ event: Event) {
    let isTouched = event.detail["gesture"]?.bool == true
    let url = event.detail["url"]?.string ?? ""
    switch (event.source, Event.Name(rawValue: event.name)) {
    case (.creative, .open), (.creative, .playVideo), (.creative, .storePicture), (.creative, .createCalendarEvent),
      (.creative, .expand), (.creative, .resize):
      guard !isTouched else { return nil }
      let argument = event.detail["arguments"]?[0]?.plain ?? ""
      self.init("\(event.name)", "\(event.name)(\(argument)) without a user gesture", .error)
    case (.creative, .close), (.creative, .unload), (.creative, .setOrientationProperties),
      (.creative, .setResizeProperties), (.creative, .setExpandProperties), (.creative, .useCustomClose):
      self.init(event.name, "\(event.name)() without a user gesture", .warning)
    case (.page, .navigation):
      guard !isTouched else { return nil }
      let isOut = event.detail["allowed"]?.bool == false
      self.init(
        "\(event.name) \(url.withoutQuery)",
        isOut ? "the ad navigates to \(url) without a user gesture" : "the ad navigates to \(url)",
        isOut ? .error : .warning)
    case (.page, .popup), (.page, .download), (.page, .dialog), (.page, .permission), (.page, .print),
      (.page, .fileChooser), (.page, .authentication):
      self.init("\(event.name) \(url.withoutQuery)", url.isEmpty ? event.name : "\(event.name) of \(url)", .error)
    case (.page, .exception), (.page, .rejection):
      self.init(event.name, "an uncaught error: \(event.detail["message"]?.string ?? "")", .warning)
    case (.page, .socket), (.page, .storage):
      self.init("\(event.name) \(url)", url.isEmpty ? "the ad stores data on the device" : "a socket to \(url)", .note)
    default: return nil
    }
  }

  private init(_ subject: String, _ text: String, _ severity: Severity) {
    (self.subject, self.text, self.severity) = (subject, text, severity)
  }
}
