internal import Jobs
internal import MRAID

extension Check {
  static let missingScript = Check(
    "missing-mraid-script", family: .mraid, severity: .warning, title: "mraid.js never asked for",
    why: "Many containers only inject MRAID where a page asks for mraid.js; elsewhere this ad has no mraid at all.",
    remedy: "Add <script src=\"mraid.js\"></script> before any script that uses mraid.",
    source: .mraid2
  ) { evidence in
    let calls = evidence.events(.creative, "open", "expand", "resize", "close", "addEventListener", "getState")
    guard let first = calls.first else { return nil }
    let asked = evidence.resources.contains { $0.origin == .container || MRAIDScriptRequest.matches($0.url) }
    guard !asked else { return [] }
    return [Remark("mraid.\(first.event.name)() is called and mraid.js never asked for", event: first.seq)]
  }

  static let bundledScript = Check(
    "bundled-mraid-script", family: .mraid, severity: .warning, title: "Own mraid.js in the bundle",
    why: "The container answers the request for mraid.js itself; a copy that does run hides the real one.",
    remedy: "Take the file out of the bundle and keep the script tag.",
    source: .mraid2
  ) { evidence in
    guard let inventory = evidence.inventory else { return nil }
    return inventory.files.filter { MRAIDScriptRequest.matches($0.path) }.map {
      Remark("\($0.path) is in the bundle", subject: $0.path, place: Finding.Place(file: $0.path))
    }
  }
}
