internal import Core
internal import RenderModel

/// Whether the ad works, and goes on working elsewhere.
enum RobustnessChecks {
  static let all: [Check] = [
    unopenable, crash, exception, rejection, consoleError, missingFile, failedRequest, policyViolation,
    rootRelative, localAddress, UnfilledMacroCheck.unfilledMacro, OrphanedFileCheck.orphanedFile, endlessLog, vastFlaw,
    vastError, vastSchema, vastOrder, blankWithoutHost, noFallback,
  ] + SIMIDChecks.all

  static let unopenable = Check(
    "unreadable-creative", family: .robustness, severity: .error, title: "Can't be opened",
    why: "What can't be opened here is refused by every network as well.",
    remedy: "Hand in an HTML file, a folder or a zip with an index.html.", source: .cm360
  ) { context in
    let record = context.record
    guard record.outcome == .failed, record.origin == .creative, context.events.isEmpty else {
      return record.outcome == .completed ? [] : nil
    }
    return [CheckIssue(record.message ?? "it can't be opened", subject: record.code ?? "")]
  }

  static let crash = Check(
    "crash", family: .robustness, severity: .error, title: "Ends its web process",
    why: "An ad that ends its web process takes the app's web views with it, or the app.",
    remedy: "Look for endless loops, memory and pictures that grow; try with less.", source: .html
  ) { context in
    guard context.hasLoaded else { return nil }
    let ended = context.events(.page, "webProcessEnded")
    if !ended.isEmpty {
      return context.issues(on: ended, subject: { $0.text("reason") }) {
        "its web process ended: \($0.text("reason"))"
      }
    }
    guard context.record.outcome == .crashed || breaking.contains(context.record.code ?? "") else { return [] }
    return [CheckIssue(context.record.message ?? "its web process ended", subject: context.record.code ?? "crash")]
  }

  /// Failures that end a render by what the page itself did.
  private static let breaking: Set<String> = [
    "memory-exceeded", "web-process-crashed", "dialogs-endless", "navigation-loop",
  ]

  static let endlessLog = Check(
    "event-flood", family: .robustness, severity: .warning, title: "Never comes to rest",
    why: "Calls, console lines or requests in their thousands cost battery in every app.",
    remedy: "Look for a timer or listener that calls itself.", source: .html
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.events(.host, "logTruncated").map {
      CheckIssue("more than \($0.text("capacity")) events were logged", event: $0.seq)
    }
  }

  static let exception = Check(
    "exception", family: .robustness, severity: .error, title: "Uncaught exception",
    why: "The script ends there, and whatever it was to do never happens.",
    remedy: "Look at the place named; guard what a container or device may not have.", source: .html
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, "exception"), place: \.scriptPlace) {
      $0.event.detail["listener"].map { "a listener for \($0.plain) threw" } ?? $0.text("message")
    }
  }

  static let rejection = Check(
    "rejection", family: .robustness, severity: .warning, title: "Unhandled rejection",
    why: "Something the ad waited for failed, and nothing deals with that.",
    remedy: "Catch it and show something else.", source: .html
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, "rejection"), place: { _ in nil }) { $0.text("message") }
  }

  static let consoleError = Check(
    "console-error", family: .robustness, severity: .warning, title: "Error on the console",
    why: "The ad or the engine says that something is wrong.",
    remedy: "Mend what it says, or don't log it as an error.", source: .html
  ) { context in
    guard context.hasLoaded else { return nil }
    let errors = context.events(.page, "console").filter { $0.event.detail["level"]?.string == "error" }
    return context.issues(on: errors, place: { _ in nil }) { String($0.text("text").prefix(300)) }
  }

  static let policyViolation = Check(
    "policy-violation", family: .robustness, severity: .warning, title: "Breaks its own content policy",
    why: "The ad's content security policy blocks what the ad itself wants to load.",
    remedy: "Allow it in the policy, or don't load it.",
    source: Citation(
      title: "Content Security Policy Level 3", url: "https://www.w3.org/TR/CSP3/", date: "2026-11-21")
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(
      on: context.events(.page, "violation"), subject: { "\($0.text("directive")) \($0.text("blocked").withoutQuery)" }
    ) { "\($0.text("directive")) blocks \($0.text("blocked"))" }
  }

  static let missingFile = Check(
    "missing-file", family: .robustness, severity: .error, title: "File not in the creative",
    why: "The ad asks for a file that was never handed in, so something of it is missing.",
    remedy: "Put the file in, or take out what asks for it; upper and lower case count.", source: .cm360
  ) { context in
    guard !context.resources.isEmpty else { return nil }
    let missing = context.resources.filter {
      $0.origin == .creative && $0.hasFailed && !$0.url.hasSuffix("/favicon.ico")
    }
    return context.issues(on: missing) { "\($0.shortName) isn't in the creative" }
  }

  static let failedRequest = Check(
    "failed-request", family: .robustness, severity: .error, title: "Request failed",
    why: "What the ad asked a server for didn't come.",
    remedy: "Mend the address or the server, and show something without it.", source: .html
  ) { context in
    guard !context.resources.isEmpty else { return nil }
    let failed = context.resources.filter { $0.origin == .network && $0.hasFailed }
    return context.issues(on: failed) { "\($0.shortName): \($0.failure ?? "status \($0.status)")" }
  }

  static let rootRelative = Check(
    "root-relative-address", family: .robustness, severity: .warning, title: "Address from the root",
    why: "Ad servers put creatives into folders: an address that begins with a slash leads past it.",
    remedy: "Write it relative to the document: img/logo.png.", source: .cm360
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let inMarkup = context.passages(
      /\b(?:src|poster)\s*=\s*["']\/[^\/"'][^"']*["']/, hint: "=\"/", "='/", "= \"/", "= '/")
    let inStyle = context.passages(/url\(\s*["']?\/[^\/"')][^"')]*["']?\s*\)/, hint: "url(/", "url(\"/", "url('/")
    return context.issues(at: inMarkup + inStyle, subject: \.address) { "\($0.address) begins at the server's root" }
  }

  static let localAddress = Check(
    "local-address", family: .robustness, severity: .error, title: "Address of the author's machine",
    why: "file: addresses and drive letters lead nowhere on anybody else's device.",
    remedy: "Write addresses relative to the document.", source: .cm360
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(/["'(](?:file:\/\/\/|[A-Z]:\\)[^"')]+/, hint: "file:///", ":\\")
    return context.issues(at: passages, subject: \.address) { "\($0.address) is on the author's machine" }
  }

  static let vastFlaw = Check(
    "vast-flaw", family: .robustness, severity: .warning, title: "Flaws in the video response",
    why: "Players differ in what they put up with: what this one mended, another refuses.",
    remedy: "Write the response as the standard's schema has it.", source: .vast
  ) { context in
    guard context.isVideo else { return nil }
    return context.issues(on: context.events(.vast, "flaw"), subject: { $0.text("message") }) {
      "line \($0.text("line")): \($0.text("message"))"
    }
  }

  static let vastError = Check(
    "vast-error", family: .robustness, severity: .warning, title: "Told as an error by the player",
    why: "The ad server hears of it as a failed or half-shown ad, and reports count it so.",
    remedy: "Mend what the code stands for: a file that isn't there, or one of a type that players don't show.",
    source: .vast
  ) { context in
    guard context.isVideo else { return nil }
    return context.issues(on: context.events(.vast, "error"), subject: { $0.text("code") + $0.text("message") }) {
      "VAST error \($0.text("code")): \($0.text("message"))"
    }
  }

  static let vastSchema = Check(
    "vast-schema", family: .robustness, severity: .warning, title: "Departs from the schema of VAST",
    why: "Servers that hold a response against its schema refuse it, and players guess what isn't there.",
    remedy: "Add what the schema of its version requires, and write each value in its form.", source: .vastSchemas
  ) { context in
    guard context.isVideo else { return nil }
    return context.departures { $0 != "order" }
  }

  static let vastOrder = Check(
    "vast-order", family: .robustness, severity: .note, title: "Elements in another order than VAST's schema",
    why: "Players read them in any order; a server that holds the response against its schema refuses it.",
    remedy: "Write them in the schema's order: that of VAST 4 goes by the alphabet, element by element.",
    source: .vastSchemas
  ) { context in
    guard context.isVideo else { return nil }
    return context.departures { $0 == "order" }
  }

  static let blankWithoutHost = Check(
    "blank-without-cdn", family: .robustness, severity: .error, title: "Nothing without one host",
    why:
      "A host that is down, slow or blocked by somebody's network takes the whole ad along, and it is paid all the same.",
    remedy: "Put what the ad needs into the creative, or show a picture of its own when a script doesn't come.",
    source: .galleyNetwork
  ) { context in
    guard let outages = context.outages, !outages.isEmpty else { return nil }
    return outages.filter(\.isBlank).map { outage in
      let what =
        outage.outcome == .completed ? "nothing is to be seen" : "the ad isn't shown (\(outage.outcome.rawValue))"
      return CheckIssue("without \(outage.host) \(what)", subject: outage.host)
    }
  }

  static let noFallback = Check(
    "no-fallback", family: .robustness, severity: .warning, title: "Breaks without one host",
    why:
      "A script that counts on another host ends in a fault when that isn't there, and what it had to do stays undone.",
    remedy: "Test for what the other host brings before using it, and listen to error events.", source: .galleyNetwork
  ) { context in
    guard let outages = context.outages, !outages.isEmpty else { return nil }
    return outages.filter { !$0.isBlank && !$0.faults.isEmpty }.map { outage in
      CheckIssue("without \(outage.host) a script fails: \(outage.faults[0].cut(to: 200))", subject: outage.host)
    }
  }
}

extension CheckContext {
  /// A remark for each thing said, whatever numbers are in it, and where.
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
  /// What is said with each number as one sign.
  fileprivate func stableText(_ message: (Self) -> String) -> String {
    String(message(self).prefix(120).map { $0.isNumber ? "#" : $0 })
  }

  /// Where a script threw, in the creative or at an address.
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
  /// Whether nothing useful came of it.
  fileprivate var hasFailed: Bool { failure != nil || status >= 400 }
}

extension CheckContext {
  fileprivate func issues(on resources: [MeasuredResource], message: (MeasuredResource) -> String) -> [CheckIssue] {
    var known: Set<String> = []
    return resources.filter { known.insert($0.shortName).inserted }.map { resource in
      let event = events.first { $0.name == "resource" && $0.detail["url"]?.string == resource.url }
      return CheckIssue(message(resource), subject: resource.shortName, event: event?.seq)
    }
  }
}

extension CheckContext.Passage {
  /// What stands between the quotes or brackets.
  fileprivate var address: String {
    let start = text.firstIndex { "\"'(".contains($0) }.map(text.index(after:)) ?? text.startIndex
    return text[start...].filter { !"\"')( ".contains($0) }
  }
}

extension CheckContext {
  /// What departs from the schema of VAST in such a way.
  fileprivate func departures(_ isMeant: (_ kind: String) -> Bool) -> [CheckIssue] {
    let met = events(.vast, "departure").filter { isMeant($0.text("kind")) }
    return issues(on: met, subject: { $0.text("message") }) { "line \($0.text("line")): \($0.text("message"))" }
  }

  /// Whether it is an ad server's answer with a film, or was to be one.
  fileprivate var isVideo: Bool { events.contains { $0.source == .vast } }
}
