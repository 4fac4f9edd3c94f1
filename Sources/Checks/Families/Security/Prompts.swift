internal import Jobs
internal import MRAID

extension Check {
  static let dialog = Check(
    "dialog", family: .security, severity: .error, title: "alert, confirm or prompt",
    why: "A dialog stops the page or app around the ad, and ads that pose as systems use it.",
    remedy: "Say it in the ad.", source: .googleMisconduct
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.remarks(on: evidence.events(.page, "dialog"), subject: { $0.text("kind") }) {
      "\($0.text("kind")): \($0.text("message"))"
    }
  }

  static let download = Check(
    "download", family: .security, severity: .error, title: "Starts a download",
    why: "A download out of an ad is malvertising.", remedy: "Lead to a page or store that offers the file.",
    source: .googleMisconduct
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.remarks(on: evidence.events(.page, "download"), subject: { $0.text("url").withoutQuery }) {
      "a download of \($0.text("url"))"
    }
  }

  static let permissionRequest = Check(
    "permission-request", family: .security, severity: .error, title: "Asks for a permission",
    why: "The app is asked in the ad's stead for location, camera or notifications, and people blame the app.",
    remedy: "Do without; for the place, ask mraid.supports(\"location\") and mraid.getLocation().", source: .mraid3
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.remarks(on: evidence.events(.page, "permission"), subject: { $0.text("kind") }) {
      "it asks for \($0.text("kind"))"
    }
  }

  static let browserPrompt = Check(
    "browser-prompt", family: .security, severity: .error, title: "Brings up the browser's own windows",
    why: "Password, print and file windows and closing itself are for pages, not for ads.",
    remedy: "Take window.print(), window.close(), file fields and addresses that need a password out.",
    source: .googleMisconduct
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    let events = evidence.events(.page, "authentication", "print", "fileChooser", "close")
    return evidence.remarks(on: events, subject: { $0.event.name }) { $0.deed }
  }
}

extension Evidence.Met {
  fileprivate var deed: String {
    switch event.name {
    case "authentication": "\(text("host")) asks for a password"
    case "print": "it calls window.print()"
    case "close": "it calls window.close()"
    default: "it opens a file chooser"
    }
  }
}
