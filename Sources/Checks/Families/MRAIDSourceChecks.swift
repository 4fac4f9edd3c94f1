internal import Core
internal import Exploration
internal import MRAID
internal import RenderModel

/// What the files say of the use of MRAID, whether it runs or not.
enum MRAIDSourceChecks {
  static let missingScript = Check(
    "missing-mraid-script", family: .mraid, severity: .warning, title: "mraid.js never asked for",
    why: "Many containers only inject MRAID where a page asks for mraid.js; elsewhere this ad has no mraid at all.",
    remedy: "Add <script src=\"mraid.js\"></script> before any script that uses mraid.",
    source: .mraid2
  ) { context in
    let calls = context.events(.creative, "open", "expand", "resize", "close", "addEventListener", "getState")
    guard let first = calls.first else { return nil }
    let asked = context.resources.contains { $0.origin == .container || MRAIDScriptRequest.matches($0.url) }
    guard !asked else { return [] }
    return [CheckIssue("mraid.\(first.event.name)() is called and mraid.js never asked for", event: first.seq)]
  }

  static let bundledScript = Check(
    "bundled-mraid-script", family: .mraid, severity: .warning, title: "Own mraid.js in the bundle",
    why: "The container answers the request for mraid.js itself; a copy that does run hides the real one.",
    remedy: "Take the file out of the bundle and keep the script tag.",
    source: .mraid2
  ) { context in
    guard let inventory = context.inventory else { return nil }
    return inventory.files.filter { MRAIDScriptRequest.matches($0.path) }.map {
      CheckIssue("\($0.path) is in the bundle", subject: $0.path, place: Finding.Place(file: $0.path))
    }
  }

  static let overwrittenGlobal = Check(
    "overwritten-global", family: .mraid, severity: .warning, title: "Overwrites what isn't its own",
    why: "The container's bridge and other scripts stand on mraid, timers and JSON; replaced, they break for both.",
    remedy: "Keep what you need of them in variables of your own, and leave the page's as they are.",
    source: .mraid3
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let own = context.passages(
      /\b(?:window|self|globalThis)\s*\.\s*(?:mraid|setTimeout|setInterval|clearTimeout|clearInterval|requestAnimationFrame|cancelAnimationFrame|queueMicrotask|Promise|JSON)\s*=(?!=)[^;\n]*/,
      hint: "window", "self", "globalThis")
    let members = context.passages(/\bmraid\s*\.\s*[A-Za-z]\w*\s*=(?!=)[^;\n]*/, hint: "mraid").filter {
      MRAIDUsage.methods.contains($0.name)
    }
    let replaced = (own + members).filter { !$0.keepsWhatIsThere && !$0.isFallback && !fillsIn($0, context.sources) }
    return context.issues(at: replaced, subject: \.target) { "the code replaces \($0.target)" }
  }

  static let readyWithoutState = Check(
    "ready-without-state", family: .mraid, severity: .warning, title: "Waits for ready only",
    why: "ready is raised once: an ad whose script comes later waits for ever and stays blank.",
    remedy: "Listen for ready only while mraid.getState() is \"loading\", else begin at once.",
    source: .mraid2
  ) { context in
    guard context.usesMRAID, !context.sources.isEmpty else { return nil }
    let waits = context.events(.creative, "addEventListener").first {
      $0.event.detail["arguments"]?[0]?.string == "ready"
    }
    guard let waits else { return nil }
    let asks = !context.events(.creative, "getState").isEmpty
    let names = context.sources.contains { $0.text.contains("getState") }
    return asks || names ? [] : [CheckIssue("it listens for ready and never asks getState()", event: waits.seq)]
  }

  static let nonStandardMethod = Check(
    "non-standard-method", family: .mraid, severity: .warning, title: "Method no standard has",
    why: "What only one SDK's mraid has throws elsewhere, and the script ends there.",
    remedy: "Keep to MRAID's methods, or look whether the member is there before using it.",
    source: .mraid3
  ) { context in
    guard context.usesMRAID else { return nil }
    let passages = context.passages(/\bmraid\.([A-Za-z_$][\w$]*)\s*\(/, hint: "mraid.").filter {
      !MRAIDUsage.methods.contains(method($0.text)) && !guards(method($0.text), context.sources)
    }
    return context.issues(at: passages, subject: { method($0.text) }) {
      "mraid.\(method($0.text))() is no method of MRAID"
    }
  }

  static let messageHandlers = Check(
    "native-message-handler", family: .mraid, severity: .warning, title: "Talks past MRAID",
    why: "Message handlers and interfaces of one app don't exist in another, and no container answers for them.",
    remedy: "Use mraid for what the ad asks of its app.",
    source: .mraid3
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(/webkit\s*\.\s*messageHandlers/, hint: "messageHandlers")
    return context.issues(at: passages, subject: { _ in "messageHandlers" }) { _ in
      "the code reaches for webkit.messageHandlers"
    }
  }

  /// Whether the code asks first that the thing is missing, as previews and old browsers' stand-ins do.
  private static func fillsIn(_ passage: CheckContext.Passage, _ sources: [SourceText]) -> Bool {
    guard let source = sources.first(where: { $0.path == passage.place.file }) else { return false }
    let name = passage.name
    let text = source.text.filter { !$0.isWhitespace }
    return ["!window.\(name)", "!self.\(name)", "!globalThis.\(name)", "typeof\(name)==", "typeofwindow.\(name)=="]
      .contains(where: text.contains)
  }

  /// Whether the code asks first if mraid has a member: `if (mraid.foo)`, `typeof mraid.foo`, `mraid.foo &&`.
  private static func guards(_ member: String, _ sources: [SourceText]) -> Bool {
    sources.contains { source in
      [
        "if (mraid.\(member))", "if(mraid.\(member))", "typeof mraid.\(member)", "mraid.\(member) &&",
        "mraid.\(member)&&",
      ]
      .contains { source.text.contains($0) }
    }
  }

  /// `mraid.getSize (` → `getSize`
  private static func method(_ call: String) -> String {
    call.dropFirst("mraid.".count).prefix { $0 != "(" && !$0.isWhitespace }.description
  }
}

extension CheckContext.Passage {
  /// `window.JSON`, without blanks.
  fileprivate var target: String { text.prefix { $0 != "=" }.filter { !$0.isWhitespace } }

  /// `JSON`
  fileprivate var name: String { target.split(separator: ".").last.map(String.init) ?? target }

  /// Whether what is assigned is, or falls back from, what stands there: `window.setTimeout = window.setTimeout || …`.
  fileprivate var keepsWhatIsThere: Bool {
    text.drop { $0 != "=" }.contains(name)
  }

  /// Whether it only runs where the thing is missing: `window.JSON || (window.JSON = …)`, `"JSON" in window || …`.
  fileprivate var isFallback: Bool {
    let before = before.filter { !$0.isWhitespace }
    if ["||(", "??("].contains(where: { before.hasSuffix(name + $0) }) { return true }
    let tests = [
      "typeof\(target)", "!\(target)", "\(target)==", "==\(target)", "\"\(name)\"in", "'\(name)'in",
    ]
    let own = target.contains("mraid.") ? [] : ["typeof\(name)", "typeofwindow.\(name)", "!window.\(name)"]
    return (tests + own).contains(where: before.contains)
  }
}
