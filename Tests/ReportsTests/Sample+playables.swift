import Checks
import Core
import RenderModel

@testable import Reports

extension Sample {
  /// Report on two builds: `game`, which its own network refuses, and `other`, which its network accepts.
  static var playables: CheckReport {
    var report = report([
      build(
        "game", "meta", .failed,
        [acceptance("meta", .name, refusedBy: ["console-error"])],
        findings: [finding("console-error", .error, "oh", profiles: ["meta"])]),
      build(
        "game", "spec", .passed,
        [
          acceptance("unity", .name, notTried: [CreativeReport.NotTried(check: "alt-missing", needs: [.touch])]),
          acceptance("iab", nil),
        ]),
      build("other", "spec", .passed, [acceptance("unity", .choice), acceptance("iab", nil)]),
    ])
    report.profiles.insert(CheckReport.ProfileSummary(id: "meta", title: "Meta"), at: 0)
    return report
  }

  private static func build(
    _ build: String, _ host: String, _ status: CreativeReport.Status, _ acceptance: [CreativeReport.Acceptance],
    findings: [Finding] = []
  ) -> CreativeReport {
    var creative = creative("\(build)/\(host)", status: status, findings: findings, acceptance: acceptance)
    creative.build = build
    creative.record.creative.path = "\(build).html"
    creative.record.container = host == "spec" ? nil : host
    return creative
  }

  private static func acceptance(
    _ profile: String, _ asked: CreativeReport.Acceptance.Asked?, refusedBy: [String] = [],
    notTried: [CreativeReport.NotTried] = []
  ) -> CreativeReport.Acceptance {
    var row = CreativeReport.Acceptance(profile: profile, refusedBy: refusedBy, notTried: notTried)
    row.asked = asked
    return row
  }
}
