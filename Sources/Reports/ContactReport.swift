internal import Checks
internal import Core
package import Pixels
internal import RenderModel

/// Plan for the pages of a campaign's pictures, each with its name, verdict, size and device.
package enum ContactReport {
  package static func plan(_ source: ReportSource) -> ContactPlan {
    let tally = VerdictCounts(source.report, isJudged: source.isJudged)
    let headline = tally.headline.prefix(1).uppercased() + tally.headline.dropFirst()
    let networks = source.report.profiles.map(\.title).joined(separator: ", ")
    let judges = networks.isEmpty ? "" : "Judged by \(networks)"
    let policy = source.report.policy.map { "policy: \($0.text)" } ?? ""
    return ContactPlan(
      title: headline, facts: [judges, policy].filter { !$0.isEmpty }.joined(separator: ", ").printable,
      maker: "Galley \(source.report.galley)", cells: source.report.creatives.map { cell($0, source) })
  }

  private static func cell(_ creative: CreativeReport, _ source: ReportSource) -> ContactPlan.Cell {
    let record = creative.record
    let findings = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = creative.findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let word = source.isJudged || creative.status != .passed ? creative.status.told : "rendered"
    let tone: ContactPlan.Tone =
      switch creative.status {
      case .passed: source.isJudged ? .good : .plain
      case .failed, .timedOut: .bad
      case .broken: .plain
      }
    let slot = record.placement.map {
      "\($0.kind.rawValue) \(NumberText.tenths($0.width))×\(NumberText.tenths($0.height))"
    }
    let titles = { (verdict: CreativeReport.Acceptance.Verdict) in
      creative.rows(verdict).map { row in
        source.report.profiles.first { $0.id == row.profile }?.title ?? row.profile
      }.joined(separator: ", ")
    }
    let (refused, notTried) = (titles(.refused), titles(.notTried))
    let lines = [
      [slot, record.device.name, record.assumed.isEmpty ? nil : "assumed"].compactMap(\.self).joined(separator: " · "),
      refused.isEmpty ? "" : "refused by \(refused)", notTried.isEmpty ? "" : "not tried for \(notTried)",
      record.message ?? "",
    ]
    // As on the page's wall: the ad alone, the first that shows something.
    let pictures = record.screenshots.map(\.pathOfAd) + record.screenshots.map(\.path)
    return ContactPlan.Cell(
      name: creative.name.printable, verdict: ([word] + findings).joined(separator: ", "), tone: tone,
      lines: lines.filter { !$0.isEmpty }.map(\.printable),
      pictures: pictures.map { source.path(of: $0, in: creative) })
  }
}
