internal import Core
internal import RenderModel

/// Errors of the ad, and its dependence on its surroundings.
enum RobustnessChecks {
  static let all: [Check] =
    [
      unopenable, crash, exception, rejection, consoleError, missingFile, failedRequest, CutOffCheck.cutOffRequest,
      policyViolation, rootRelative, localAddress, UnfilledMacroCheck.unfilledMacro, OrphanedFileCheck.orphanedFile,
      wrongEncoding, endlessLog, vastFlaw,
      vastError, vastSchema, vastOrder, blankWithoutHost, noFallback,
    ] + SIMIDChecks.all + PlayableCodeChecks.all

  static let unopenable = Check(
    "unreadable-creative", family: .robustness, severity: .error, title: "Creative can't be opened",
    why: "Every network rejects a creative that can't be opened here.",
    remedy: "Deliver an HTML file, a folder or a zip with an index.html.", source: .cm360, needs: [.load]
  ) { context in
    let record = context.record
    guard record.outcome == .failed, record.origin == .creative, context.events.isEmpty else {
      return record.outcome == .completed ? [] : nil
    }
    return [CheckIssue(record.message ?? "the creative can't be opened", subject: record.code ?? "")]
  }

  static let crash = Check(
    "crash", family: .robustness, severity: .error, title: "Web process ended",
    why: "An ad that ends its web process also ends the app's web views, or the app.",
    remedy: "Look for endless loops, and for memory and images that grow; test with less content.", source: .html,
    needs: [.load]
  ) { context in
    guard context.hasLoaded else { return nil }
    let ended = context.events(.page, .webProcessEnded)
    if !ended.isEmpty {
      return context.issues(on: ended, subject: { $0.text("reason") }) {
        "the web process ended: \($0.text("reason"))"
      }
    }
    guard context.record.outcome == .crashed || breaking.contains(context.record.code ?? "") else { return [] }
    return [CheckIssue(context.record.message ?? "the web process ended", subject: context.record.code ?? "crash")]
  }

  /// Codes of failures that end a render because of the page's own behaviour.
  private static let breaking: Set<String> = [
    "memory-exceeded", "web-process-crashed", "dialogs-endless", "navigation-loop",
  ]

  static let endlessLog = Check(
    "event-flood", family: .robustness, severity: .warning, title: "Event flood",
    why: "Thousands of calls, console lines or requests drain the battery in every app.",
    remedy: "Look for a timer or listener that calls itself.", source: .html, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.events(.host, .logTruncated).map {
      CheckIssue("more than \($0.text("capacity")) events were logged", event: $0.seq)
    }
  }

  static let exception = Check(
    "exception", family: .robustness, severity: .error, title: "Uncaught exception",
    why: "The script ends at the exception, and its remaining code never runs.",
    remedy: "Fix the code at the given place; test for features that a container or device may lack.", source: .html,
    needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, .exception), place: \.scriptPlace) {
      $0.event.detail["listener"].map { "a listener for \($0.plain) threw" } ?? $0.text("message")
    }
  }

  static let rejection = Check(
    "rejection", family: .robustness, severity: .warning, title: "Unhandled rejection",
    why: "An operation that the ad waited for failed, and no code handles the failure.",
    remedy: "Handle the rejection, and show a fallback.", source: .html, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, .rejection), place: { _ in nil }) { $0.text("message") }
  }

  static let consoleError = Check(
    "console-error", family: .robustness, severity: .warning, title: "Console error",
    why: "The ad or the engine reports an error.",
    remedy: "Fix the reported problem, or don't log it as an error.", source: .html, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    let errors = context.events(.page, .console).filter { $0.event.detail["level"]?.string == "error" }
    return context.issues(on: errors, place: { _ in nil }) { String($0.text("text").prefix(300)) }
  }

  static let policyViolation = Check(
    "policy-violation", family: .robustness, severity: .warning, title: "Content security policy violation",
    why: "The ad's content security policy blocks a resource that the ad itself uses.",
    remedy: "Allow the resource in the policy, or don't load it.",
    source: Citation(
      title: "Content Security Policy Level 3", url: "https://www.w3.org/TR/CSP3/", date: "2026-11-21"),
    needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(
      on: context.events(.page, .violation), subject: { "\($0.text("directive")) \($0.text("blocked").withoutQuery)" }
    ) { "\($0.text("directive")) blocks \($0.text("blocked"))" }
  }

  static let missingFile = Check(
    "missing-file", family: .robustness, severity: .error, title: "Missing file",
    why: "The ad requests a file that isn't in the creative, so a part of the ad is missing.",
    remedy: "Add the file, or remove the request; names must match byte for byte.", source: .cm360, needs: .rendered
  ) { context in
    let requests = context.requests
    guard !requests.isEmpty else { return nil }
    let missing = requests.filter {
      $0.resource.origin == .creative && $0.resource.hasFailed && !$0.resource.url.hasSuffix("/favicon.ico")
    }
    return context.issues(on: missing) { resource in
      let near = context.inventory.flatMap { NearMiss(of: resource.shortName, in: $0)?.text } ?? ""
      return "\(resource.shortName) isn't in the creative\(near)"
    }
  }

  static let failedRequest = Check(
    "failed-request", family: .robustness, severity: .error, title: "Request failed",
    why: "A server didn't deliver what the ad requested.",
    remedy: "Fix the address or the server, and show a fallback if the request fails.", source: .html, needs: .rendered
  ) { context in
    let requests = context.requests
    guard !requests.isEmpty else { return nil }
    let failed = requests.filter {
      $0.resource.origin == .network && $0.resource.hasFailed && context.cutOff($0.resource) == nil
    }
    guard !failed.isEmpty || context.cutOffs.isEmpty else { return nil }
    return context.issues(on: failed) { "\($0.shortName): \($0.failure ?? "status \($0.status)")" }
  }

  static let rootRelative = Check(
    "root-relative-address", family: .robustness, severity: .warning, title: "Root-relative address",
    why: "Ad servers put creatives into folders; an address that begins with a slash points outside the folder.",
    remedy: "Make the address relative to the document: img/logo.png.", source: .cm360, needs: [.code]
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let inMarkup = context.passages(
      /\b(?:src|poster)\s*=\s*["']\/[^\/"'][^"']*["']/, hint: "=\"/", "='/", "= \"/", "= '/")
    let inStyle = context.passages(/url\(\s*["']?\/[^\/"')][^"')]*["']?\s*\)/, hint: "url(/", "url(\"/", "url('/")
    return context.issues(at: inMarkup + inStyle, subject: \.address) { "\($0.address) begins at the server's root" }
  }

  static let localAddress = Check(
    "local-address", family: .robustness, severity: .error, title: "Address of the author's machine",
    why: "file: addresses and drive letters don't work on any other device.",
    remedy: "Make the address relative to the document.", source: .cm360, needs: [.code]
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(/["'(](?:file:\/\/\/|[A-Z]:\\)[^"')]+/, hint: "file:///", ":\\")
    return context.issues(at: passages, subject: \.address) { "\($0.address) is on the author's machine" }
  }

  static let wrongEncoding = Check(
    "wrong-encoding", family: .robustness, severity: .warning, title: "Wrong text encoding",
    why: "Users see wrong characters in the place of letters such as é and ü.",
    remedy: "Save the file as UTF-8, and declare it in the head: <meta charset=\"utf-8\">.", source: .html,
    needs: [.files]
  ) { context in
    guard let files = context.inventory?.files, files.contains(where: { $0.text != nil }) else { return nil }
    return files.compactMap { file -> CheckIssue? in
      guard let stray = file.strayByte else { return nil }
      let place = "line \(stray.line), column \(stray.column)"
      let message =
        stray.isDeclared
        ? "\(file.path) is read as UTF-8 but isn't valid from \(place) on"
        : "\(file.path) declares no encoding and isn't UTF-8 from \(place) on, so each browser guesses"
      return CheckIssue(
        message, subject: file.path, place: Finding.Place(file: file.path, line: stray.line, column: stray.column))
    }
  }

  static let vastFlaw = Check(
    "vast-flaw", family: .robustness, severity: .warning, title: "Flaw in the VAST response",
    why: "Players differ in the flaws they tolerate: another player may reject what this one repaired.",
    remedy: "Write the response as the standard's schema defines it.", source: .vast, needs: .rendered
  ) { context in
    guard context.isVideo else { return nil }
    let films = context.events(.vast, .ad)
    let flaws = context.issues(on: context.events(.vast, .flaw), subject: \.remarkSubject) { $0.remark }
    let late = context.issues(on: films.filter(\.isSkippedTooLate), subject: { "skipoffset \($0.text("media"))" }) {
      "the video ends after \($0.text("duration")) s and its skipoffset is \($0.text("skip")) s, so it can't be skipped"
    }
    let misdeclared = context.issues(on: films.filter(\.isMisdeclared), subject: { "Duration \($0.text("media"))" }) {
      "the video lasts \($0.text("duration")) s but its Duration is \($0.text("declared")) s; players use either"
    }
    return flaws + late + misdeclared
  }

  static let vastError = Check(
    "vast-error", family: .robustness, severity: .warning, title: "Error reported by the player",
    why: "The ad server receives the error, and counts the ad as failed or partly shown.",
    remedy: "Fix the cause of the code, such as a missing file or a type that players don't show.",
    source: .vast, needs: .rendered
  ) { context in
    guard context.isVideo else { return nil }
    return context.issues(on: context.events(.vast, .error), subject: { $0.text("code") + $0.text("message") }) {
      "VAST error \($0.text("code")): \($0.text("message"))"
    }
  }

  static let vastSchema = Check(
    "vast-schema", family: .robustness, severity: .warning, title: "Response doesn't match the VAST schema",
    why: "Servers that validate the response reject it, and players guess the missing parts.",
    remedy: "Add what the schema of its version requires, and write each value in the required format.",
    source: .vastSchemas, needs: .rendered
  ) { context in
    guard context.isVideo else { return nil }
    return context.departures { $0 != "order" }
  }

  static let vastOrder = Check(
    "vast-order", family: .robustness, severity: .note, title: "Elements in another order than in the VAST schema",
    why: "Players read elements in any order, but a server that validates the response rejects it.",
    remedy: "Write the elements in the schema's order; VAST 4 sorts the children of each element by name.",
    source: .vastSchemas, needs: .rendered
  ) { context in
    guard context.isVideo else { return nil }
    return context.departures { $0 == "order" }
  }

  static let blankWithoutHost = Check(
    "blank-without-cdn", family: .robustness, severity: .error, title: "Blank without one host",
    why:
      "If a host is down, slow or blocked by a user's network, the whole ad is blank but still paid for.",
    remedy: "Put required files into the creative, or show an image of the creative if a script doesn't load.",
    source: .galleyNetwork, needs: .rendered, alsoNeeds: { $0.networkHosts.isEmpty ? [] : [.outages] }
  ) { context in
    guard let outages = context.outages, !outages.isEmpty else { return nil }
    return outages.filter(\.isBlank).map { outage in
      let what =
        outage.outcome == .completed ? "the ad shows nothing" : "the ad isn't shown (\(outage.outcome.rawValue))"
      return CheckIssue("without \(outage.host) \(what)", subject: outage.host)
    }
  }

  static let noFallback = Check(
    "no-fallback", family: .robustness, severity: .warning, title: "Breaks without one host",
    why:
      "A script that depends on another host fails if the host is missing, and its remaining code never runs.",
    remedy: "Test that the host's objects exist before you use them, and listen to error events.",
    source: .galleyNetwork, needs: .rendered, alsoNeeds: { $0.networkHosts.isEmpty ? [] : [.outages] }
  ) { context in
    guard let outages = context.outages, !outages.isEmpty else { return nil }
    return outages.filter { !$0.isBlank && !$0.faults.isEmpty }.map { outage in
      CheckIssue("without \(outage.host) a script fails: \(outage.faults[0].cut(to: 200))", subject: outage.host)
    }
  }
}

extension CheckContext {
  /// Returns an issue for each distinct message, ignoring the numbers in it, with its place.
  fileprivate func issues(
    on met: [Met], place: (Met) -> Finding.Place?, message: (Met) -> String
  ) -> [CheckIssue] {
    let places = Dictionary(met.compactMap { met in place(met).map { (met.stableText(message), $0) } }) { first, _ in
      first
    }
    return issues(on: met, subject: { $0.stableText(message) }, message: message).map {
      var issue = $0
      issue.place = places[$0.subject]
      return issue
    }
  }
}

extension CheckContext.Met {
  /// Text of a remark on an ad server's response, with the document in a chain of wrappers, and the line.
  fileprivate var remark: String {
    let document = event.detail["url"]?.string.map { "\($0.withoutQuery), " } ?? ""
    return "\(document)line \(text("line")): \(text("message"))"
  }

  /// Subject of the remark: its message, with the document unless that is the first.
  fileprivate var remarkSubject: String {
    (event.detail["url"]?.string.map { "\($0.withoutQuery) " } ?? "") + text("message")
  }

  /// Indicates if a video can only be skipped when it is over.
  fileprivate var isSkippedTooLate: Bool {
    guard let duration = event.detail["duration"]?.number, let skip = event.detail["skip"]?.number else { return false }
    return duration > 0 && skip >= duration
  }

  /// Indicates if the response declares a duration that differs from the video's by more than a second.
  fileprivate var isMisdeclared: Bool {
    guard let duration = event.detail["duration"]?.number, let declared = event.detail["declared"]?.number else {
      return false
    }
    return duration > 0 && abs(duration - declared) > 1
  }

  /// Returns the message, at most 120 characters, with each digit replaced by `#`.
  fileprivate func stableText(_ message: (Self) -> String) -> String {
    String(message(self).prefix(120).map { $0.isNumber ? "#" : $0 })
  }

  /// Place where a script threw, in the creative or at an address; nil if unknown.
  fileprivate var scriptPlace: Finding.Place? {
    guard let file = event.detail["file"]?.string, !file.isEmpty else { return nil }
    let own = "creative://ad/"
    return Finding.Place(
      file: file.hasPrefix(own) ? String(file.dropFirst(own.count)) : file,
      line: event.detail["line"]?.number.map { Bounded.int($0, in: 0...100_000_000) },
      column: event.detail["column"]?.number.map { Bounded.int($0, in: 0...100_000_000) })
  }
}

extension MeasuredResource {
  /// Indicates if the request failed, or has an error status.
  fileprivate var hasFailed: Bool { failure != nil || status >= 400 }
}

extension CheckContext {
  /// Returns an issue for each requested name, with the way on which it was requested first.
  fileprivate func issues(on requests: [Request], message: (MeasuredResource) -> String) -> [CheckIssue] {
    var known: Set<String> = []
    return requests.filter { known.insert($0.resource.shortName).inserted }.map { request in
      let resource = request.resource
      let event = request.action == nil ? events.first { $0.isRequest(for: resource.url) } : nil
      return CheckIssue(message(resource) + request.way, subject: resource.shortName, event: event?.seq)
    }
  }
}

extension Event {
  fileprivate func isRequest(for url: String) -> Bool { isNamed(.resource) && detail["url"]?.string == url }
}

extension CheckContext.Passage {
  /// Address between the quotes or brackets.
  fileprivate var address: String {
    let start = text.firstIndex { "\"'(".contains($0) }.map(text.index(after:)) ?? text.startIndex
    return text[start...].filter { !"\"')( ".contains($0) }
  }
}

extension CheckContext {
  /// Returns issues for departures from the schema of VAST of the given kinds.
  fileprivate func departures(_ isMeant: (_ kind: String) -> Bool) -> [CheckIssue] {
    let met = events(.vast, .departure).filter { isMeant($0.text("kind")) }
    return issues(on: met, subject: \.remarkSubject) { $0.remark }
  }

  /// Indicates if the creative is a VAST response, or was meant to be one.
  fileprivate var isVideo: Bool { events.contains { $0.source == .vast } }
}
