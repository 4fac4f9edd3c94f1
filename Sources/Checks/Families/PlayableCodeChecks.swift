internal import Core

/// Code that networks refuse, or that old systems can't read.
enum PlayableCodeChecks {
  static let all: [Check] = [refusedCode, syntax]

  static let refusedCode = Check(
    "refused-code", family: .robustness, severity: .error, title: "Code that the network refuses",
    why: "The network searches uploaded files for names of other interfaces and unsafe functions, and refuses them.",
    remedy: "Leave the named code out of the build for this network.",
    source: .ironSource, needs: [.code], needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "refused-code")
    guard !groups.isEmpty, !context.sources.isEmpty else { return nil }
    return groups.flatMap { group in
      (group.rule.refuses ?? []).compactMap { text in
        context.sources.compactMap { $0.place(ofWord: text) }.first.map {
          group.signed(CheckIssue("the code has \(text), refused by \(group.names)", subject: text, place: $0))
        }
      }
    }
  }

  static let syntax = Check(
    "script-syntax-level", family: .robustness, severity: .error, title: "Syntax that old systems can't read",
    why: "A script with one unknown piece of syntax doesn't run at all, and the ad stays blank on that system.",
    remedy: "Compile the scripts to the edition of ECMAScript that the finding names.",
    source: .unity, needs: [.code], needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "script-syntax-level")
    guard !groups.isEmpty, !context.sources.isEmpty else { return nil }
    let found = context.sources.flatMap { source in
      ScriptSyntax.features(in: source).map { (feature: $0.feature, place: source.place(of: $0.index)) }
    }
    return groups.flatMap { group -> [CheckIssue] in
      guard let edition = group.rule.edition else { return [] }
      let most = edition == 2009 ? "ES5" : "ES\(edition)"
      var known: Set<String> = []
      return found.filter { $0.feature.edition > edition && known.insert($0.feature.text).inserted }.map { found in
        group.signed(
          CheckIssue(
            "the code has \(found.feature.text) of ES\(found.feature.edition), newer than the \(most) of \(group.names)",
            subject: found.feature.text, place: found.place))
      }
    }
  }
}
