internal import Core
internal import Exploration
internal import MRAID
internal import RenderModel

/// Use of MRAID in the creative's files, including code that doesn't run.
enum MRAIDSourceChecks {
  static let missingScript = Check(
    "missing-mraid-script", family: .mraid, severity: .warning, title: "mraid.js is never requested",
    why: "Many containers inject MRAID only if the page requests mraid.js; this ad has no mraid object there.",
    remedy: "Add <script src=\"mraid.js\"></script> before any script that uses mraid.",
    source: .mraid2, needs: .rendered
  ) { context in
    let calls = context.events(.creative, .open, .expand, .resize, .close, .addEventListener, .getState)
    guard let first = calls.first else { return nil }
    let asked = context.resources.contains { $0.origin == .container || MRAIDScriptRequest.matches($0.url) }
    guard !asked else { return [] }
    return [CheckIssue("mraid.\(first.event.name)() is called, but mraid.js is never requested", event: first.seq)]
  }

  static let bundledScript = Check(
    "bundled-mraid-script", family: .mraid, severity: .warning, title: "mraid.js in the bundle",
    why: "The container answers the request for mraid.js itself; a bundled copy that runs hides the real one.",
    remedy: "Remove the file from the bundle, and keep the script tag.",
    source: .mraid2, needs: [.files]
  ) { context in
    guard let inventory = context.inventory else { return nil }
    return inventory.files.filter { MRAIDScriptRequest.matches($0.path) }.map {
      CheckIssue("\($0.path) is in the bundle", subject: $0.path, place: Finding.Place(file: $0.path))
    }
  }

  static let overwrittenGlobal = Check(
    "overwritten-global", family: .mraid, severity: .warning, title: "Overwritten global",
    why: "The container's bridge and other scripts rely on mraid, timers and JSON, and break if these are replaced.",
    remedy: "Store your versions in variables of your own, and leave the page's globals unchanged.",
    source: .mraid3, needs: [.code]
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
    "ready-without-state", family: .mraid, severity: .warning, title: "Waits only for ready",
    why: "The ready event is sent once; an ad whose script runs later waits forever and stays blank.",
    remedy: "Listen for ready only while mraid.getState() is \"loading\"; otherwise start at once.",
    source: .mraid2, needs: .rendered.union([.code])
  ) { context in
    guard context.usesMRAID, !context.sources.isEmpty else { return nil }
    let waits = context.events(.creative, .addEventListener).first { $0.listens(to: .ready) }
    guard let waits else { return nil }
    let asks = !context.events(.creative, .getState).isEmpty
    let names = context.sources.contains { $0.text.contains("getState") }
    return asks || names ? [] : [CheckIssue("the ad listens for ready but never calls getState()", event: waits.seq)]
  }

  static let nonStandardMethod = Check(
    "non-standard-method", family: .mraid, severity: .warning, title: "Non-standard MRAID method",
    why: "A method that only one SDK has throws in other SDKs, and the script ends there.",
    remedy: "Use only MRAID's methods, or test that the method exists before calling it.",
    source: .mraid3, needs: .rendered.union([.code])
  ) { context in
    guard context.usesMRAID else { return nil }
    let passages = context.passages(/\bmraid\.([A-Za-z_$][\w$]*)\s*\(/, hint: "mraid.").filter {
      !MRAIDUsage.methods.contains(method($0.text)) && !guards(method($0.text), context.sources)
    }
    return context.issues(at: passages, subject: { method($0.text) }) {
      "mraid.\(method($0.text))() isn't an MRAID method"
    }
  }

  static let messageHandlers = Check(
    "native-message-handler", family: .mraid, severity: .warning, title: "Native message handler instead of MRAID",
    why: "Message handlers and interfaces of one app don't exist in other apps, and no container emulates them.",
    remedy: "Use mraid for requests to the app.",
    source: .mraid3, needs: [.code]
  ) { context in
    guard !context.sources.isEmpty else { return nil }
    let passages = context.passages(/webkit\s*\.\s*messageHandlers/, hint: "messageHandlers")
    return context.issues(at: passages, subject: { _ in "messageHandlers" }) { _ in
      "the code uses webkit.messageHandlers"
    }
  }

  /// Indicates if the code tests that the global is missing before it sets it, as previews and polyfills do.
  private static func fillsIn(_ passage: CheckContext.Passage, _ sources: [SourceText]) -> Bool {
    guard let source = sources.first(where: { $0.path == passage.place.file }) else { return false }
    let name = passage.name
    let text = source.text.filter { !$0.isWhitespace }
    return ["!window.\(name)", "!self.\(name)", "!globalThis.\(name)", "typeof\(name)==", "typeofwindow.\(name)=="]
      .contains(where: text.contains)
  }

  /// Indicates if the code tests for a member of mraid first: `if (mraid.foo)`, `typeof mraid.foo`, `mraid.foo &&`.
  private static func guards(_ member: String, _ sources: [SourceText]) -> Bool {
    sources.contains { source in
      [
        "if (mraid.\(member))", "if(mraid.\(member))", "typeof mraid.\(member)", "mraid.\(member) &&",
        "mraid.\(member)&&",
      ]
      .contains { source.text.contains($0) }
    }
  }

  /// Returns the method of a call: `getSize` for `mraid.getSize (`.
  private static func method(_ call: String) -> String {
    call.dropFirst("mraid.".count).prefix { $0 != "(" && !$0.isWhitespace }.description
  }
}

extension CheckContext.Passage {
  /// Target of the assignment without white space, as `window.JSON`.
  fileprivate var target: String { text.prefix { $0 != "=" }.filter { !$0.isWhitespace } }

  /// Last part of the target, as `JSON`.
  fileprivate var name: String { target.split(separator: ".").last.map(String.init) ?? target }

  /// Indicates if the new value contains the old one, as in `window.setTimeout = window.setTimeout
  ///
  /// …`.
  fileprivate var keepsWhatIsThere: Bool {
    text.drop { $0 != "=" }.contains(name)
  }

  /// Indicates if the code only runs if the global is missing: `window.JSON
  ///
  /// (window.JSON = …)`, `"JSON" in window
  ///
  /// …`.
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
