internal import Core
internal import RenderModel

/// Communication of an interactive creative (SIMID) with its player, compared with the standard.
enum SIMIDChecks {
  static let all: [Check] = [
    noSession, notInitialised, notStarted, fatalError, refusedMessage, rejectedRequest, flaw, slowEnd,
    extendedWithoutTouch, guessableSession, insecure, withoutFilm,
  ]

  static let noSession = check(
    "simid-no-session", .error, "Interactive creative starts no session",
    why: "Players show only the video, or drop the ad, if createSession doesn't arrive in time.",
    remedy: "Post createSession to the parent window as soon as the script runs, before loading anything."
  ) { context in
    context.issues(on: context.timeouts(.createSession), subject: { _ in "" }) {
      "no createSession arrived within \($0.text("seconds")) s"
    }
  }

  static let notInitialised = check(
    "simid-init-failed", .error, "Interactive creative isn't initialised",
    why: "Until the creative resolves init, a player neither shows it nor sends it messages.",
    remedy: "Resolve Player:init; load resources before startCreative, and reject only if the ad can't be shown."
  ) { context in
    context.issues(on: context.timeouts(.initialize), subject: { _ in "" }) {
      "init wasn't answered within \($0.text("seconds")) s"
    } + context.rejections(of: .initialize, by: "creative")
  }

  static let notStarted = check(
    "simid-start-failed", .error, "Interactive creative isn't started",
    why: "The creative stays hidden, so the user sees only the video.",
    remedy: "Resolve Player:startCreative immediately; prepare everything before it."
  ) { context in
    context.rejections(of: .startCreative, by: "creative")
      + context.issues(
        on: context.events(.vast, .error).filter { $0.event.code == Event.notStarted }, subject: { _ in "" }
      ) { $0.text("message") }
  }

  static let fatalError = check(
    "simid-fatal-error", .error, "Interactive creative ends in a fatal error",
    why: "The whole ad ends, including the video, and the ad server receives error 902.",
    remedy: "Fix the reported error; continue without a part that isn't required."
  ) { context in
    let fatal = context.events(.vast, .error).filter { $0.event.detail["simid"] != nil }
    return context.issues(on: fatal, subject: { $0.text("simid") }) {
      "SIMID error \($0.text("simid")): \($0.text("message"))"
    }
  }

  static let refusedMessage = check(
    "simid-message-refused", .error, "Message that isn't valid SIMID",
    why: "Players ignore messages that don't follow the standard, and the intended action never happens.",
    remedy:
      "Post JSON text with the session id, a messageId, a timestamp and a standard type; answer each message once."
  ) { context in
    let refused = context.events(.simid, .refused).filter {
      $0.text("from") == "creative" && $0.text("reason") != "slow"
    }
    return context.issues(on: refused, subject: { "\($0.text("reason")) \($0.text("type"))" }) { $0.text("message") }
  }

  static let rejectedRequest = check(
    "simid-request-rejected", .warning, "Request that the player rejects",
    why: "A creative that relies on a rejected request stops, or shows wrong information.",
    remedy: "Request only what environmentData allows, with standard arguments, and handle the rejection."
  ) { $0.rejections(of: nil, by: "player") }

  static let flaw = check(
    "simid-flaw", .warning, "Departs from SIMID in a way that this player tolerates",
    why: "Another player may not know the message, or may read it as another one.",
    remedy: "Write the message as the standard defines it."
  ) { context in
    context.issues(on: context.events(.simid, .flaw), subject: { $0.text("message") }) { $0.text("message") }
  }

  static let slowEnd = check(
    "simid-slow-end", .warning, "Interactive creative doesn't answer when it ends",
    why: "The player waits for the answer to adStopped or adSkipped before it continues, then ends the creative.",
    remedy: "Resolve adStopped, adSkipped and fatalError as soon as the last tracker is reported."
  ) { context in
    let ends = [Event.Name.adStopped, .adSkipped, .fatalError].flatMap(context.timeouts)
    return context.issues(on: ends, subject: { $0.text("of") }) {
      "\($0.text("of")) wasn't answered within \($0.text("seconds")) s"
    }
  }

  static let extendedWithoutTouch = check(
    "simid-extended-without-touch", .warning, "Ad extended without a user action",
    why: "By the standard an ad lasts longer only after a user action, so players reject other requests.",
    remedy: "Request more time in the handler of a touch, and fit an end card into the video's own length."
  ) { context in
    context.journeys.flatMap { journey -> [CheckIssue] in
      let length = journey.events.first { $0.source == .vast && $0.isNamed(.ad) }?.detail["duration"]?.number ?? 0
      let before = journey.events.prefix { !($0.source == .input) }
      let asked = before.first { event in
        guard event.source == .simid, event.isNamed(.requestChangeAdDuration),
          let duration = event.detail["args"]?["duration"]?.plain, let seconds = Double(duration)
        else { return false }
        return seconds == -2 || seconds > length
      }
      return asked.map {
        let seq = journey.action == nil ? $0.seq : nil
        return [CheckIssue("the ad requests more time before the user touches it", subject: "", event: seq)]
      } ?? []
    }
  }

  static let guessableSession = check(
    "simid-session-guessable", .warning, "Guessable session id",
    why: "A script that guesses the id can pose as the creative or the player; SIMID 1.2 requires a secure id.",
    remedy: "Create the id with crypto.randomUUID() or crypto.getRandomValues()."
  ) { context in
    let short = context.events(.simid, .createSession).filter { met in
      let id = met.session
      // A random id of 64 bits, as the shortest that can be called safe, has so many digits.
      return id.utf8.count < 16 || Set(id).count < 6
    }
    return context.issues(on: short, subject: { _ in "" }) { "the session id is \($0.session.cut(to: 40))" }
  }

  static let insecure = check(
    "simid-insecure-file", .error, "Interactive file that isn't on https",
    why: "Pages on https don't load frames over http, so the creative never starts.",
    remedy: "Serve the interactive file over https."
  ) { context in
    let ads = context.events(.vast, .ad).filter { $0.text("interactive").lowercased().hasPrefix("http:") }
    return context.issues(on: ads, subject: { $0.text("interactive") }) { $0.text("interactive") }
  }

  static let withoutFilm = check(
    "simid-without-film", .error, "Interactive creative without a video",
    why: "SIMID runs above a video, and players without SIMID show only the video; without one there is no ad.",
    remedy: "Add a MediaFile next to the InteractiveCreativeFile."
  ) { context in
    let without = context.events(.vast, .error).filter { $0.event.programs.contains("SIMID") }
    return context.issues(on: without, subject: { _ in "" }) { $0.text("message") }
  }

  /// Creates a check that doesn't judge ads without SIMID.
  private static func check(
    _ id: String, _ severity: Severity, _ title: String, why: String, remedy: String,
    judge: @escaping @Sendable (CheckContext) -> [CheckIssue]
  ) -> Check {
    Check(
      id, family: .robustness, severity: severity, title: title, why: why, remedy: remedy, source: .simid,
      needs: .rendered
    ) {
      $0.usesSIMID ? judge($0) : nil
    }
  }
}

extension CheckContext {
  /// Indicates if a part of the ad is an interactive creative.
  fileprivate var usesSIMID: Bool {
    journeys.contains { journey in
      journey.events.contains { event in
        if event.source == .simid { return true }
        guard event.source == .vast else { return false }
        return event.detail["interactive"] != nil || event.detail["simid"] != nil || event.programs.contains("SIMID")
          || event.code.map(Event.codes.contains) == true
      }
    }
  }

  /// Returns the player's messages of a name that weren't answered in time.
  fileprivate func timeouts(_ name: Event.Name) -> [Met] {
    events(.simid, .timeout).filter { $0.text("of") == name.rawValue }
  }

  /// Returns issues for messages that `speaker` rejected, of one name or, for nil, of any.
  fileprivate func rejections(of name: Event.Name?, by speaker: String) -> [CheckIssue] {
    let rejected = events(.simid, .reject).filter {
      $0.text("from") == speaker && (name == nil || $0.text("of") == name?.rawValue)
    }
    return issues(on: rejected, subject: { "\($0.text("of")) \($0.code)" }) {
      "\($0.text("of")) was rejected (\($0.code)): \($0.reason)"
    }
  }
}

extension Event {
  /// Range of SIMID's own error codes; `notStarted` is that of a creative that can't be started.
  fileprivate static let codes = 1100.0..<1400
  fileprivate static let notStarted = 1213.0

  fileprivate var code: Double? { detail["code"]?.number }

  /// Frameworks of the programs that a response has in place of a video.
  fileprivate var programs: [String] { detail["programs"]?.array?.compactMap(\.string) ?? [] }
}

extension CheckContext.Met {
  fileprivate var session: String { event.detail["timing"]?["session"]?.string ?? "" }

  fileprivate var code: String { event.detail["value"]?["errorCode"]?.plain ?? "no code" }

  fileprivate var reason: String {
    let value = event.detail["value"]
    return (value?["message"] ?? value?["reason"])?.string?.cut(to: 200) ?? "without a reason"
  }
}
