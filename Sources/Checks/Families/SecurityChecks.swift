internal import Core
internal import Parties
internal import RenderModel

/// Actions of an ad without the user's knowledge or consent.
enum SecurityChecks {
  static let all: [Check] = [
    autoRedirect, automaticOpen, popup, topWindow, dialog, AddressChecks.insecureRequest,
    AddressChecks.insecureClickthrough, AddressChecks.privateAddress, download, permissionRequest, browserPrompt,
    historyManipulation, serviceWorker, remoteCode, miner, tracksWithoutConsent, LateBehaviourCheck.check,
  ]

  static let autoRedirect = Check(
    "auto-redirect", family: .security, severity: .error, title: "Automatic redirect",
    why: "An ad that navigates the page or app without a tap is malvertising, whatever its intent.",
    remedy: "Navigate only on a tap, through mraid.open() or a link.", source: .googleMisconduct, needs: .rendered
  ) { context in
    let all = context.events(.page, .navigation)
    guard context.hasLoaded else { return nil }
    let unasked = all.filter {
      $0.event.detail["gesture"]?.bool == false && $0.event.detail["allowed"]?.bool == false
    }
    return context.issues(on: unasked, subject: { $0.text("url").withoutQuery }) {
      "the ad navigates to \($0.text("url")) without a user gesture"
    }
  }

  static let automaticOpen = Check(
    "open-without-gesture", family: .security, severity: .error, title: "Opens without a user gesture",
    why: "A call without a tap is an automatic redirect: SDKs ignore it, and networks ban the account.",
    remedy: "Call mraid.open(), or the network's own store call, directly in the handler of a tap.",
    source: .googleMisconduct, needs: .rendered
  ) { context in
    let opened = context.events(.playable, .storeOpened)
    let calls = context.events(.creative, .open, .playVideo, .storePicture, .createCalendarEvent) + opened
    guard context.usesMRAID || !opened.isEmpty || !context.callsOfHost.isEmpty && context.hasLoaded else { return nil }
    let unasked = calls.filter { $0.event.detail["gesture"]?.bool == false && !$0.cameBeforeReady }
    return context.issues(on: unasked, subject: { $0.event.detail["call"]?.string ?? $0.event.name }) {
      let call = $0.event.detail["call"]?.string ?? $0.event.name
      return "\(call)(\($0.event.detail["arguments"]?[0]?.plain ?? "")) without a user gesture"
    }
  }

  static let popup = Check(
    "popup", family: .security, severity: .error, title: "Pop-up window",
    why: "Every network rejects windows that open without a tap.",
    remedy: "Open a window only on a tap, through mraid.open() or a link.", source: .dv360, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    let unasked = context.events(.page, .popup).filter { $0.event.detail["gesture"]?.bool == false }
    return context.issues(on: unasked, subject: { $0.text("url").withoutQuery }) {
      "a window for \($0.text("url")) without a user gesture"
    }
  }

  static let topWindow = Check(
    "top-window", family: .security, severity: .warning, title: "Access to the top window",
    why: "Ads run in frames and web views of others; access to the page around them fails or is an attack.",
    remedy: "Use only the ad's own window, and mraid for its surroundings.", source: .ironSource, needs: [.code]
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let pattern = /\b(?:window\s*\.\s*)?(?:top|parent)\s*\.\s*(?:location|document|history|frames|open|close|eval)\b/
    let reaching = context.passages(pattern, hint: "top.", "parent.")
    let whole = context.passages(/\bwindow\s*\.\s*top\s*\.\s*(?!postMessage)\w+/, hint: "window.top")
    return context.issues(at: reaching + whole, subject: { $0.text.filter { !$0.isWhitespace } }) {
      "the code accesses \($0.text)"
    }
  }

  static let historyManipulation = Check(
    "history-manipulation", family: .security, severity: .warning, title: "Changes the browser history",
    why: "An ad that writes history entries breaks the user's back button.",
    remedy: "Don't change the history.", source: .googleMisconduct, needs: [.code]
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
    why: "A dialog stops the page or app around the ad, and ads use it to pose as the system.",
    remedy: "Show the message in the ad.", source: .googleMisconduct, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, .dialog), subject: { $0.text("kind") }) {
      "\($0.text("kind")): \($0.text("message"))"
    }
  }

  static let download = Check(
    "download", family: .security, severity: .error, title: "Starts a download",
    why: "A download started by an ad is malvertising.", remedy: "Link to a page or store that offers the file.",
    source: .googleMisconduct, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, .download), subject: { $0.text("url").withoutQuery }) {
      "a download of \($0.text("url"))"
    }
  }

  static let permissionRequest = Check(
    "permission-request", family: .security, severity: .error, title: "Permission request",
    why: "The prompt for location, camera or notifications appears as the app's own, and users blame the app.",
    remedy: "Remove the request; for the location, use mraid.supports(\"location\") and mraid.getLocation().",
    source: .mraid3, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    return context.issues(on: context.events(.page, .permission), subject: { $0.text("kind") }) {
      "the ad requests \($0.text("kind"))"
    }
  }

  static let browserPrompt = Check(
    "browser-prompt", family: .security, severity: .error, title: "Browser prompt",
    why: "Password, print and file dialogs and window.close() are for pages, not for ads.",
    remedy: "Remove window.print(), window.close(), file fields and addresses that need a password.",
    source: .googleMisconduct, needs: .rendered
  ) { context in
    guard context.hasLoaded else { return nil }
    let events = context.events(.page, .authentication, .print, .fileChooser, .close)
    return context.issues(on: events, subject: { $0.event.name }) { $0.deed }
  }

  static let tracksWithoutConsent = Check(
    "tracks-without-consent", family: .security, severity: .error, title: "Tracks without consent",
    why:
      "By law an ad may not track a user who refused or hasn't answered yet, and networks enforce it.",
    remedy: "Query __tcfapi, __gpp or __uspapi first, and call trackers only if the answer allows it.", source: .tcf,
    needs: .rendered.union([.refusedConsent])
  ) { context in
    guard let consent = context.record.consent, consent.forbids else { return nil }
    let asks = Set(context.consentRequests).sorted()
    let asked = asks.isEmpty ? "the ad never queries consent" : "the ad queried \(asks.joined(separator: ", "))"
    let stored = context.stored.filter { !$0.hasPrefix("sessionStorage ") }.map {
      CheckIssue("\($0) is stored on the device although consent is \(consent.rawValue): \(asked)", subject: $0)
    }
    return stored
      + context.parties.filter(\.isTracker).map { party in
        CheckIssue(
          "\(party.hosts.joined(separator: ", ")) (\(party.who ?? party.domain)) receives a request although consent is \(consent.rawValue): \(asked)",
          subject: party.domain)
      }
  }

  static let serviceWorker = Check(
    "service-worker", family: .security, severity: .warning, title: "Registers a service worker",
    why: "A service worker outlives the ad on the publisher's site; web views of iOS apps have none.",
    remedy: "Remove the service worker; an ad doesn't need one.", source: .googleMisconduct, needs: [.code]
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(/serviceWorker\s*\.\s*register/, hint: "serviceWorker")
    return context.issues(at: passages, subject: { _ in "register" }) { _ in "the code registers a service worker" }
  }

  static let remoteCode = Check(
    "remote-code", family: .security, severity: .warning, title: "Runs code from a response",
    why: "Reviewers of the ad can't see code that is fetched and evaluated.",
    remedy: "Put the code into the creative; read data with JSON.parse().", source: .googleMisconduct, needs: [.code]
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(
      /\b(?:eval|new\s+Function)\s*\([^)"'`]{0,80}(?:responseText|response|\.data|atob|decodeURIComponent|unescape)/,
      hint: "eval", "Function")
    return context.issues(at: passages, subject: { "\($0.place.file):\($0.text.prefix(40))" }) {
      "the code evaluates received text: \($0.text.prefix(60))"
    }
  }

  static let miner = Check(
    "crypto-miner", family: .security, severity: .error, title: "Signs of a cryptocurrency miner",
    why: "Mining on a user's device is theft, and networks ban it.",
    remedy: "Remove the miner, and find out who added it.", source: .googleMisconduct, needs: .rendered.union([.code])
  ) { context in
    guard !context.sources.isEmpty || !context.requests.isEmpty else { return nil }
    let words = ["coinhive", "cryptonight", "stratum+tcp", "coin-hive", "cryptoloot", "webminepool"]
    let inCode = context.sources.flatMap { source -> [CheckIssue] in
      let text = source.text.lowercased()
      // In capitals it is a coordinate: RandomXY, randomX.
      let found = words.filter(text.contains) + (source.text.contains("randomx") ? ["randomx"] : [])
      return found.map {
        CheckIssue("\(source.path) contains \($0)", subject: $0, place: Finding.Place(file: source.path))
      }
    }
    let hosts = context.requests.map(\.resource.host).filter { host in words.contains { host.contains($0) } }
    return inCode + Set(hosts).sorted().map { CheckIssue("a request to \($0)", subject: $0) }
  }
}

extension CheckContext.Met {
  /// Indicates if the call came while loading, which another check judges.
  fileprivate var cameBeforeReady: Bool { event.detail["state"]?.string == "loading" }
}

extension String {
  /// Address without query and fragment, which change between builds and visits.
  var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}

extension CheckContext.Met {
  fileprivate var deed: String {
    switch Event.Name(rawValue: event.name) {
    case .authentication: "\(text("host")) asks for a password"
    case .print: "the ad calls window.print()"
    case .close: "the ad calls window.close()"
    default: "the ad opens a file chooser"
    }
  }
}
