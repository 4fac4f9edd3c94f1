internal import Core
internal import Parties
internal import RenderModel

/// What an ad does behind a person's back.
enum SecurityChecks {
  static let all: [Check] = [
    autoRedirect, automaticOpen, popup, topWindow, dialog, AddressChecks.insecureRequest,
    AddressChecks.insecureClickthrough, AddressChecks.privateAddress, download, permissionRequest, browserPrompt,
    historyManipulation, serviceWorker, remoteCode, miner, tracksWithoutConsent,
  ]

  static let autoRedirect = Check(
    "auto-redirect", family: .security, severity: .error, title: "Leaves unasked",
    why: "An ad that takes the page or app elsewhere without a tap is malvertising, whatever it meant.",
    remedy: "Leave only from a tap, through mraid.open() or a link.", source: .googleMisconduct
  ) { context in
    let all = context.events(.page, "navigation")
    guard context.hasLoaded else { return nil }
    let unasked = all.filter {
      $0.event.detail["gesture"]?.bool == false && $0.event.detail["allowed"]?.bool == false
    }
    return context.issues(on: unasked, subject: { $0.text("url").withoutQuery }) {
      "it leaves for \($0.text("url")) without anybody's tap"
    }
  }

  static let automaticOpen = Check(
    "open-without-gesture", family: .security, severity: .error, title: "Opens unasked",
    why: "open() without a tap is an automatic redirect: SDKs drop it, and networks ban the account.",
    remedy: "Call mraid.open() in the handler of a tap, at once.", source: .googleMisconduct
  ) { context in
    let calls = context.events(.creative, "open", "playVideo", "storePicture", "createCalendarEvent")
    guard context.usesMRAID else { return nil }
    let unasked = calls.filter { $0.event.detail["gesture"]?.bool == false && !$0.cameBeforeReady }
    return context.issues(on: unasked, subject: { $0.event.name }) {
      "\($0.event.name)(\($0.event.detail["arguments"]?[0]?.plain ?? "")) without anybody's tap"
    }
  }

  static let popup = Check(
    "popup", family: .security, severity: .error, title: "Opens windows",
    why: "Windows that open unasked are refused by every network.",
    remedy: "Open nothing without a tap, and then through mraid.open() or a link.", source: .dv360
  ) { context in
    guard context.hasLoaded else { return nil }
    let unasked = context.events(.page, "popup").filter { $0.event.detail["gesture"]?.bool == false }
    return context.issues(on: unasked, subject: { $0.text("url").withoutQuery }) {
      "a window for \($0.text("url")) without anybody's tap"
    }
  }

  static let topWindow = Check(
    "top-window", family: .security, severity: .warning, title: "Reaches for the top window",
    why: "Ads live in frames and web views of others: reaching for the page around them fails or is an attack.",
    remedy: "Keep to the ad's own window, and use mraid for what is around it.", source: .ironSource
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let pattern = /\b(?:window\s*\.\s*)?(?:top|parent)\s*\.\s*(?:location|document|history|frames|open|close|eval)\b/
    let reaching = context.passages(pattern, hint: "top.", "parent.")
    let whole = context.passages(/\bwindow\s*\.\s*top\s*\.\s*(?!postMessage)\w+/, hint: "window.top")
    return context.issues(at: reaching + whole, subject: { $0.text.filter { !$0.isWhitespace } }) {
      "the code reaches for \($0.text)"
    }
  }

  static let historyManipulation = Check(
    "history-manipulation", family: .security, severity: .warning, title: "Changes the history",
    why: "An ad that writes history entries takes a person's way back away.",
    remedy: "Leave the history alone.", source: .googleMisconduct
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(
      /\bhistory\s*\.\s*(?:pushState|replaceState|back|forward|go)\s*\(/, hint: "history")
    return context.issues(at: passages, subject: { $0.text.filter { !$0.isWhitespace && $0 != "(" } }) {
      "the code calls \($0.text.dropLast())()"
    }
  }

  static let dialog = Check(
    "dialog", family: .security, severity: .error, title: "alert, confirm or prompt",
    why: "A dialog stops the page or app around the ad, and ads that pose as systems use it.",
    remedy: "Say it in the ad.", source: .googleMisconduct
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, "dialog"), subject: { $0.text("kind") }) {
      "\($0.text("kind")): \($0.text("message"))"
    }
  }

  static let download = Check(
    "download", family: .security, severity: .error, title: "Starts a download",
    why: "A download out of an ad is malvertising.", remedy: "Lead to a page or store that offers the file.",
    source: .googleMisconduct
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, "download"), subject: { $0.text("url").withoutQuery }) {
      "a download of \($0.text("url"))"
    }
  }

  static let permissionRequest = Check(
    "permission-request", family: .security, severity: .error, title: "Asks for a permission",
    why: "The app is asked in the ad's stead for location, camera or notifications, and people blame the app.",
    remedy: "Do without; for the place, ask mraid.supports(\"location\") and mraid.getLocation().", source: .mraid3
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, "permission"), subject: { $0.text("kind") }) {
      "it asks for \($0.text("kind"))"
    }
  }

  static let browserPrompt = Check(
    "browser-prompt", family: .security, severity: .error, title: "Brings up the browser's own windows",
    why: "Password, print and file windows and closing itself are for pages, not for ads.",
    remedy: "Take window.print(), window.close(), file fields and addresses that need a password out.",
    source: .googleMisconduct
  ) { context in
    guard context.hasLoaded else { return nil }
    let events = context.events(.page, "authentication", "print", "fileChooser", "close")
    return context.issues(on: events, subject: { $0.event.name }) { $0.deed }
  }

  static let tracksWithoutConsent = Check(
    "tracks-without-consent", family: .security, severity: .error, title: "Tracks without consent",
    why:
      "Whoever was refused, or has no answer yet, may not follow a person: the law says so, and networks enforce it.",
    remedy: "Ask __tcfapi, __gpp or __uspapi first, and call trackers only when the answer allows it.", source: .tcf
  ) { context in
    guard let consent = context.record.consent, consent.forbids else { return nil }
    let asks = Set(context.consentRequests).sorted()
    let asked = asks.isEmpty ? "the ad never asks for consent" : "the ad asked \(asks.joined(separator: ", "))"
    let stored = context.stored.filter { !$0.hasPrefix("sessionStorage ") }.map {
      CheckIssue("\($0) is kept on the device though consent is \(consent.rawValue): \(asked)", subject: $0)
    }
    return stored
      + context.parties.filter(\.isTracker).map { party in
        CheckIssue(
          "\(party.hosts.joined(separator: ", ")) (\(party.who ?? party.domain)) is asked though consent is \(consent.rawValue): \(asked)",
          subject: party.domain)
      }
  }

  static let serviceWorker = Check(
    "service-worker", family: .security, severity: .warning, title: "Registers a service worker",
    why: "It would outlive the ad on the publisher's site; apps' web views on iOS have none.",
    remedy: "Do without: an ad has nothing to keep.", source: .googleMisconduct
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(/serviceWorker\s*\.\s*register/, hint: "serviceWorker")
    return context.issues(at: passages, subject: { _ in "register" }) { _ in "the code registers a service worker" }
  }

  static let remoteCode = Check(
    "remote-code", family: .security, severity: .warning, title: "Runs text it was sent",
    why: "Code that is fetched and evaluated is seen by nobody who reviewed the ad.",
    remedy: "Put the code into the creative; read data with JSON.parse().", source: .googleMisconduct
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(
      /\b(?:eval|new\s+Function)\s*\([^)"'`]{0,80}(?:responseText|response|\.data|atob|decodeURIComponent|unescape)/,
      hint: "eval", "Function")
    return context.issues(at: passages, subject: { "\($0.place.file):\($0.text.prefix(40))" }) {
      "the code evaluates what it was sent: \($0.text.prefix(60))"
    }
  }

  static let miner = Check(
    "crypto-miner", family: .security, severity: .error, title: "Signs of a miner",
    why: "Mining on a person's device is theft, and networks ban it.",
    remedy: "Take the miner out; ask who put it in.", source: .googleMisconduct
  ) { context in
    guard !context.sources.isEmpty || !context.resources.isEmpty else { return nil }
    let words = ["coinhive", "cryptonight", "stratum+tcp", "coin-hive", "cryptoloot", "webminepool"]
    let inCode = context.sources.flatMap { source -> [CheckIssue] in
      let text = source.text.lowercased()
      // In capitals it is a coordinate: RandomXY, randomX.
      let found = words.filter(text.contains) + (source.text.contains("randomx") ? ["randomx"] : [])
      return found.map {
        CheckIssue("\(source.path) names \($0)", subject: $0, place: Finding.Place(file: source.path))
      }
    }
    let hosts = context.resources.map(\.host).filter { host in words.contains { host.contains($0) } }
    return inCode + Set(hosts).sorted().map { CheckIssue("a request to \($0)", subject: $0) }
  }
}

extension CheckContext.Met {
  /// Whether the call was refused for being early: then that is what is wrong.
  fileprivate var cameBeforeReady: Bool { event.detail["state"]?.string == "loading" }
}

extension String {
  /// An address without what builds and visits change.
  var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}

extension CheckContext.Met {
  fileprivate var deed: String {
    switch event.name {
    case "authentication": "\(text("host")) asks for a password"
    case "print": "it calls window.print()"
    case "close": "it calls window.close()"
    default: "it opens a file chooser"
    }
  }
}
