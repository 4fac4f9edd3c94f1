internal import Exploration
internal import Jobs
internal import MRAID

extension Check {
  static let overwrittenGlobal = Check(
    "overwritten-global", family: .mraid, severity: .warning, title: "Overwrites what isn't its own",
    why: "The container's bridge and other scripts stand on mraid, timers and JSON; replaced, they break for both.",
    remedy: "Keep what you need of them in variables of your own, and leave the page's as they are.",
    source: .mraid3
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let own = evidence.passages(
      /\b(?:window|self|globalThis)\s*\.\s*(?:mraid|setTimeout|setInterval|clearTimeout|clearInterval|requestAnimationFrame|cancelAnimationFrame|queueMicrotask|Promise|JSON)\s*=(?!=)[^;\n]*/,
      hint: "window", "self", "globalThis")
    let members = evidence.passages(/\bmraid\s*\.\s*[A-Za-z]\w*\s*=(?!=)[^;\n]*/, hint: "mraid").filter {
      Vocabulary.methods.contains($0.name)
    }
    let replaced = (own + members).filter { !$0.keepsWhatIsThere && !$0.isFallback && !evidence.fillsIn($0) }
    return evidence.remarks(at: replaced, subject: \.target) { "the code replaces \($0.target)" }
  }
}

extension Evidence.Passage {
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

extension Evidence {
  /// Whether the code asks first that the thing is missing, as previews and old browsers' stand-ins do.
  fileprivate func fillsIn(_ passage: Passage) -> Bool {
    guard let source = sources.first(where: { $0.path == passage.place.file }) else { return false }
    let name = passage.name
    let text = source.text.filter { !$0.isWhitespace }
    return ["!window.\(name)", "!self.\(name)", "!globalThis.\(name)", "typeof\(name)==", "typeofwindow.\(name)=="]
      .contains(where: text.contains)
  }
}
