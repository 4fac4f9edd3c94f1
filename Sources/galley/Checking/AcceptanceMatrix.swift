internal import Checks
internal import Core
internal import Jobs

/// Which network takes which creative, as tables no wider than the terminal.
struct AcceptanceMatrix {
  let report: CheckReport
  let width: Int

  /// Empty without profiles.
  var text: String {
    let names = report.creatives.map { $0.name.printable }
    let nameWidth = min(40, names.map(\.count).max() ?? 0)
    return groups(nameWidth).map { group in
      let head = "  " + "".padded(to: nameWidth) + group.map { "  " + $0.id }.joined() + "\n"
      return head
        + report.creatives.map { creative in
          "  " + creative.name.printable.padded(to: nameWidth)
            + group.map { "  " + mark(creative, $0).padded(to: $0.id.count) }.joined().trimmed + "\n"
        }.joined()
    }.joined()
  }

  /// Profiles that stand beside each other.
  private func groups(_ nameWidth: Int) -> [[CheckReport.ProfileSummary]] {
    var groups: [[CheckReport.ProfileSummary]] = []
    var left = 0
    for profile in report.profiles {
      let wide = profile.id.count + 2
      if wide > left {
        groups.append([])
        left = max(wide, width - nameWidth - 2)
      }
      groups[groups.count - 1].append(profile)
      left -= wide
    }
    return groups
  }

  private func mark(_ creative: CreativeReport, _ profile: CheckReport.ProfileSummary) -> String {
    let row = creative.acceptance.first { $0.profile == profile.id }
    return row.map { $0.accepted ? "yes" : "no" } ?? "–"
  }
}

extension String {
  /// Without blanks at the end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
