internal import RenderModel

/// Answers of the networks to each build of a playable, joined from the renders in the networks' hosts.
package struct PlayableMatrix: Hashable, Sendable {
  /// Answers to one build.
  package struct Row: Hashable, Sendable {
    package let build: String
    /// Answers in the order of the report's profiles.
    package let cells: [Cell]

    /// Networks that have to accept the build for a reason.
    package func asked(_ reason: CreativeReport.Acceptance.Asked) -> [String] {
      cells.filter { $0.answer.asked == reason }.map(\.answer.profile)
    }

    /// Sentence part on the networks that have to accept the build, with the reasons.
    package var demand: String {
      let reasons = CreativeReport.Acceptance.Asked.allCases.compactMap { reason in
        let networks = asked(reason)
        return networks.isEmpty ? nil : "\(networks.joined(separator: ", ")) (\(reason.words))"
      }
      guard !reasons.isEmpty else {
        return "has to be accepted by no network: it is named after one that wasn't chosen"
      }
      return "has to be accepted by \(reasons.joined(separator: ", "))"
    }
  }

  /// Issue for which a network refuses a build.
  package struct Issue: Hashable, Sendable {
    /// Id of the check, or `render` for the render itself.
    package let check: String
    package let message: String
    /// Remedy of the check; nil if the report doesn't have the rule.
    package let remedy: String?

    /// Check and message on a line.
    package var text: String { message.isEmpty ? check : "\(check): \(message)" }
  }

  /// Answer of one network to one build.
  package struct Cell: Hashable, Sendable {
    package let answer: CreativeReport.Acceptance
    /// Names of the results that it was joined from: one for each device.
    package let results: [String]
    /// Issues for which the network refuses the build.
    package let issues: [Issue]

    /// Indicates if the network has to accept the build.
    package var isAsked: Bool { answer.asked != nil }

    /// Word for the cell: yes, no or not tried; not asked, with the answer, if it is information only.
    package var words: String { isAsked ? answer.verdict.mark : "not asked (\(answer.verdict.mark))" }

    /// Reasons of an answer other than yes; nil for yes.
    package var reasons: String? {
      switch answer.verdict {
      case .accepted: nil
      case .refused: issues.map(\.text).joined(separator: "; ")
      case .notTried: answer.notTriedText
      }
    }
  }

  /// Builds in the order of the report.
  package let rows: [Row]

  /// Answers of the networks that have to accept a build, with the build's name.
  package var asked: [(build: String, cell: Cell)] {
    rows.flatMap { row in row.cells.filter(\.isAsked).map { (row.build, $0) } }
  }

  /// Joins the answers of a report; it has no rows if its creatives weren't checked as playables.
  package init(_ report: CheckReport) {
    var builds: [String] = []
    for build in report.creatives.compactMap(\.build) where !builds.contains(build) { builds.append(build) }
    rows = builds.map { build in
      let renders = report.creatives.filter { $0.build == build }
      return Row(build: build, cells: report.profiles.compactMap { Self.cell($0.id, renders, report.rules) })
    }
  }

  /// Returns the answer of a network; nil if it was given none.
  private static func cell(
    _ profile: String, _ renders: [CreativeReport], _ rules: [CheckReport.Rule]
  ) -> Cell? {
    let answers = renders.compactMap { render in
      render.acceptance.first { $0.profile == profile }.map { (render: render, answer: $0) }
    }
    guard let first = answers.first else { return nil }
    var joined = CreativeReport.Acceptance(
      profile: profile, refusedBy: distinct(answers.flatMap(\.answer.refusedBy)),
      notTried: distinct(answers.flatMap(\.answer.notTried)))
    joined.asked = first.answer.asked
    return Cell(
      answer: joined, results: answers.map(\.render.name),
      issues: distinct(answers.flatMap { issues($0.answer, $0.render, rules) }))
  }

  private static func issues(
    _ answer: CreativeReport.Acceptance, _ render: CreativeReport, _ rules: [CheckReport.Rule]
  ) -> [Issue] {
    answer.refusedBy.map { check in
      let finding = render.findings.first { finding in
        finding.check == check && (finding.profiles.isEmpty || finding.profiles.contains(answer.profile))
      }
      let failure = check == CreativeReport.renderID ? render.record.message : nil
      return Issue(
        check: check, message: finding?.message ?? failure ?? "", remedy: rules.first { $0.id == check }?.remedy)
    }
  }

  private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var known: Set<Element> = []
    return elements.filter { known.insert($0).inserted }
  }
}

extension CreativeReport.Acceptance.Verdict {
  /// Mark in matrices, in readable words.
  package var mark: String {
    switch self {
    case .accepted: "yes"
    case .refused: "no"
    case .notTried: "not tried"
    }
  }
}

extension CreativeReport.Acceptance.Asked {
  /// Reason in readable words.
  package var words: String {
    switch self {
    case .name: "named in its path"
    case .code: "called by its code"
    case .choice: "chosen; neither its path nor its code names a network"
    }
  }
}
