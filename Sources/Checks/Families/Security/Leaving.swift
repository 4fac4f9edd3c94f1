internal import Jobs
internal import MRAID

extension Check {
  static let autoRedirect = Check(
    "auto-redirect", family: .security, severity: .error, title: "Leaves unasked",
    why: "An ad that takes the page or app elsewhere without a tap is malvertising, whatever it meant.",
    remedy: "Leave only from a tap, through mraid.open() or a link.", source: .googleMisconduct
  ) { evidence in
    let all = evidence.events(.page, "navigation")
    guard evidence.hasLoaded else { return nil }
    let unasked = all.filter {
      $0.event.detail["gesture"]?.bool == false && $0.event.detail["allowed"]?.bool == false
    }
    return evidence.remarks(on: unasked, subject: { $0.text("url").withoutQuery }) {
      "it leaves for \($0.text("url")) without anybody's tap"
    }
  }

  static let automaticOpen = Check(
    "automatic-open", family: .security, severity: .error, title: "Opens unasked",
    why: "open() without a tap is an automatic redirect: SDKs drop it, and networks ban the account.",
    remedy: "Call mraid.open() in the handler of a tap, at once.", source: .googleMisconduct
  ) { evidence in
    let calls = evidence.events(.creative, "open", "playVideo", "storePicture", "createCalendarEvent")
    guard evidence.usesMRAID else { return nil }
    let unasked = calls.filter { $0.event.detail["gesture"]?.bool == false && !$0.cameBeforeReady }
    return evidence.remarks(on: unasked, subject: { $0.event.name }) {
      "\($0.event.name)(\($0.event.detail["arguments"]?[0]?.plain ?? "")) without anybody's tap"
    }
  }

  static let popup = Check(
    "popup", family: .security, severity: .error, title: "Opens windows",
    why: "Windows that open unasked are refused by every network.",
    remedy: "Open nothing without a tap, and then through mraid.open() or a link.", source: .dv360
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    let unasked = evidence.events(.page, "popup").filter { $0.event.detail["gesture"]?.bool == false }
    return evidence.remarks(on: unasked, subject: { $0.text("url").withoutQuery }) {
      "a window for \($0.text("url")) without anybody's tap"
    }
  }

  static let topWindow = Check(
    "top-window", family: .security, severity: .warning, title: "Reaches for the top window",
    why: "Ads live in frames and web views of others: reaching for the page around them fails or is an attack.",
    remedy: "Keep to the ad's own window, and use mraid for what is around it.", source: .ironSource
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let pattern = /\b(?:window\s*\.\s*)?(?:top|parent)\s*\.\s*(?:location|document|history|frames|open|close|eval)\b/
    let reaching = evidence.passages(pattern, hint: "top.", "parent.")
    let whole = evidence.passages(/\bwindow\s*\.\s*top\s*\.\s*(?!postMessage)\w+/, hint: "window.top")
    return evidence.remarks(at: reaching + whole, subject: { $0.text.filter { !$0.isWhitespace } }) {
      "the code reaches for \($0.text)"
    }
  }

  static let historyManipulation = Check(
    "history-manipulation", family: .security, severity: .warning, title: "Changes the history",
    why: "An ad that writes history entries takes a person's way back away.",
    remedy: "Leave the history alone.", source: .googleMisconduct
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let passages = evidence.passages(
      /\bhistory\s*\.\s*(?:pushState|replaceState|back|forward|go)\s*\(/, hint: "history")
    return evidence.remarks(at: passages, subject: { $0.text.filter { !$0.isWhitespace && $0 != "(" } }) {
      "the code calls \($0.text.dropLast())()"
    }
  }
}

extension Evidence {
  /// Whether a page was there to misbehave.
  var hasLoaded: Bool { !events.isEmpty }
}

extension Evidence.Met {
  /// Whether the call was refused for being early: then that is what is wrong.
  fileprivate var cameBeforeReady: Bool { event.detail["state"]?.string == "loading" }
}

extension String {
  /// An address without what builds and visits change.
  var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}
