internal import Core
internal import RenderModel

/// Whether an interactive creative (SIMID) speaks with its player as the standard has it.
enum SIMIDChecks {
  static let all: [Check] = [
    noSession, notInitialised, notStarted, fatalError, refusedMessage, rejectedRequest, flaw, slowEnd,
    extendedWithoutTouch, guessableSession, insecure, withoutFilm,
  ]

  static let noSession = check(
    "simid-no-session", .error, "Interactive creative begins no session",
    why: "Players show the film alone, or drop the ad, when no createSession comes in time.",
    remedy: "Post createSession to the parent window as soon as the script runs, before anything is loaded."
  ) { context in
    context.issues(on: context.timeouts("createSession"), subject: { _ in "" }) {
      "no createSession came within \($0.text("seconds")) s"
    }
  }

  static let notInitialised = check(
    "simid-init-failed", .error, "Interactive creative isn't initialised",
    why: "Until it resolves init, a player neither shows the creative nor tells it anything.",
    remedy: "Resolve Player:init; load what is needed before startCreative, and reject only what can't be shown."
  ) { context in
    context.issues(on: context.timeouts("init"), subject: { _ in "" }) {
      "init wasn't answered within \($0.text("seconds")) s"
    } + context.rejections(of: "init", by: "creative")
  }

  static let notStarted = check(
    "simid-start-failed", .error, "Interactive creative isn't started",
    why: "The creative stays hidden: the film is all that anybody sees of the ad.",
    remedy: "Resolve Player:startCreative immediately; have everything ready by then."
  ) { context in
    context.rejections(of: "startCreative", by: "creative")
      + context.issues(
        on: context.events(.vast, "error").filter { $0.event.code == Event.notStarted }, subject: { _ in "" }
      ) { $0.text("message") }
  }

  static let fatalError = check(
    "simid-fatal-error", .error, "Interactive creative ends in a fatal error",
    why: "The whole ad ends there, the film too, and the ad server hears of error 902.",
    remedy: "Mend what the message says; without a part that isn't needed go on rather than give up."
  ) { context in
    let fatal = context.events(.vast, "error").filter { $0.event.detail["simid"] != nil }
    return context.issues(on: fatal, subject: { $0.text("simid") }) {
      "SIMID error \($0.text("simid")): \($0.text("message"))"
    }
  }

  static let refusedMessage = check(
    "simid-message-refused", .error, "Message that isn't SIMID's",
    why: "Players pass over messages that aren't the standard's, and whatever they were to do never happens.",
    remedy: "Post JSON texts with the session's id, a messageId, a timestamp and a type of the standard; answer once."
  ) { context in
    let refused = context.events(.simid, "refused").filter {
      $0.text("from") == "creative" && $0.text("reason") != "slow"
    }
    return context.issues(on: refused, subject: { "\($0.text("reason")) \($0.text("type"))" }) { $0.text("message") }
  }

  static let rejectedRequest = check(
    "simid-request-rejected", .warning, "Request that the player rejects",
    why: "A creative that counts on what it asked for stands still, or shows what isn't so, when it is rejected.",
    remedy: "Ask only for what environmentData allows, with arguments of the standard, and handle the rejection."
  ) { $0.rejections(of: nil, by: "player") }

  static let flaw = check(
    "simid-flaw", .warning, "Departs from SIMID in what this player puts up with",
    why: "Another player may not know the message, or take it for another one.",
    remedy: "Write it as the standard has it."
  ) { context in
    context.issues(on: context.events(.simid, "flaw"), subject: { $0.text("message") }) { $0.text("message") }
  }

  static let slowEnd = check(
    "simid-slow-end", .warning, "Interactive creative doesn't answer its end",
    why: "The player waits for the answer to adStopped or adSkipped before anything else is shown, then cuts it off.",
    remedy: "Resolve adStopped, adSkipped and fatalError as soon as the last tracker is reported."
  ) { context in
    let ends = ["adStopped", "adSkipped", "fatalError"].flatMap(context.timeouts)
    return context.issues(on: ends, subject: { $0.text("of") }) {
      "\($0.text("of")) wasn't answered within \($0.text("seconds")) s"
    }
  }

  static let extendedWithoutTouch = check(
    "simid-extended-without-touch", .warning, "Extends the ad by itself",
    why: "By the standard an ad lasts longer only because a person has touched it, so that players reject the rest.",
    remedy: "Ask for more time in the handler of a touch, and fit an end card into the film's own length."
  ) { context in
    context.journeys.flatMap { journey -> [CheckIssue] in
      let length = journey.events.first { $0.source == .vast && $0.name == "ad" }?.detail["duration"]?.number ?? 0
      let before = journey.events.prefix { !($0.source == .input) }
      let asked = before.first { event in
        guard event.source == .simid, event.name == "requestChangeAdDuration",
          let duration = event.detail["args"]?["duration"]?.plain, let seconds = Double(duration)
        else { return false }
        return seconds == -2 || seconds > length
      }
      return asked.map {
        let seq = journey.action == nil ? $0.seq : nil
        return [CheckIssue("it asks for more time before anybody touched it", subject: "", event: seq)]
      } ?? []
    }
  }

  static let guessableSession = check(
    "simid-session-guessable", .warning, "Session id that can be guessed",
    why: "Whoever guesses the id can speak as the creative or the player: SIMID 1.2 asks for a secure one.",
    remedy: "Make it by crypto.randomUUID() or crypto.getRandomValues()."
  ) { context in
    let short = context.events(.simid, "createSession").filter { met in
      let id = met.session
      // A random id of 64 bits, as the shortest that can be called safe, has so many digits.
      return id.utf8.count < 16 || Set(id).count < 6
    }
    return context.issues(on: short, subject: { _ in "" }) { "the session id is \($0.session.cut(to: 40))" }
  }

  static let insecure = check(
    "simid-insecure-file", .error, "Interactive file that isn't on https",
    why: "Pages on https don't load frames by http, so the creative never begins.",
    remedy: "Serve the interactive file by https."
  ) { context in
    let ads = context.events(.vast, "ad").filter { $0.text("interactive").lowercased().hasPrefix("http:") }
    return context.issues(on: ads, subject: { $0.text("interactive") }) { $0.text("interactive") }
  }

  static let withoutFilm = check(
    "simid-without-film", .error, "Interactive creative without a film",
    why: "SIMID runs above a film, and players without SIMID show the film alone: with none there is no ad.",
    remedy: "Add a MediaFile beside the InteractiveCreativeFile."
  ) { context in
    let without = context.events(.vast, "error").filter { $0.event.programs.contains("SIMID") }
    return context.issues(on: without, subject: { _ in "" }) { $0.text("message") }
  }

  /// A check that has nothing to say of ads without SIMID.
  private static func check(
    _ id: String, _ severity: Severity, _ title: String, why: String, remedy: String,
    judge: @escaping @Sendable (CheckContext) -> [CheckIssue]
  ) -> Check {
    Check(id, family: .robustness, severity: severity, title: title, why: why, remedy: remedy, source: .simid) {
      $0.usesSIMID ? judge($0) : nil
    }
  }
}

extension CheckContext {
  /// Whether something of the ad is an interactive creative.
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

  /// Messages of the player's that weren't answered in time.
  fileprivate func timeouts(_ name: String) -> [Met] { events(.simid, "timeout").filter { $0.text("of") == name } }

  /// What one of the two has rejected of the other's, of this name or of any.
  fileprivate func rejections(of name: String?, by speaker: String) -> [CheckIssue] {
    let rejected = events(.simid, "reject").filter {
      $0.text("from") == speaker && (name == nil || $0.text("of") == name)
    }
    return issues(on: rejected, subject: { "\($0.text("of")) \($0.code)" }) {
      "\($0.text("of")) was rejected (\($0.code)): \($0.reason)"
    }
  }
}

extension Event {
  /// SIMID's own codes, and the one of a creative that can't be started.
  fileprivate static let codes = 1100.0..<1400
  fileprivate static let notStarted = 1213.0

  fileprivate var code: Double? { detail["code"]?.number }

  /// Frameworks of the programs that a response has in the place of a film.
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
