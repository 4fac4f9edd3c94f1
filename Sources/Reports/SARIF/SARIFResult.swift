internal import Checks
internal import Digests
internal import FoundationEssentials
internal import Jobs

/// A finding, suppressed or not.
struct SARIFResult: Encodable {
  struct Suppression: Encodable {
    let kind = "external"
    let status = "accepted"
    let justification: String
  }
  struct Attachment: Encodable {
    let description: SARIFLog.Message
    let artifactLocation: SARIFLocation.Artifact
  }
  struct Properties: Encodable {
    let creative: String
    let device: String
    let profiles: [String]?
    let value: Double?
    let limit: Double?
    let unit: String?
    let expires: String?
  }

  let ruleId: String
  let ruleIndex: Int?
  let level: String
  let message: SARIFLog.Message
  let locations: [SARIFLocation]
  let partialFingerprints: [String: String]
  let suppressions: [Suppression]
  let attachments: [Attachment]?
  let properties: Properties

  init(
    _ finding: Finding, suppressed: CreativeReport.Suppressed? = nil, in creative: CreativeReport,
    source: ReportSource, rule: Int?
  ) {
    ruleId = finding.check
    ruleIndex = rule
    level = finding.severity.level
    message = SARIFLog.Message(text: ReportText.shown("\(creative.name): \(finding.message)"))
    locations = [SARIFLocation(finding.place, in: creative)]
    partialFingerprints = ["galleyFinding/v1": Self.fingerprint(finding, in: creative)]
    suppressions = suppressed.map { [Suppression(justification: ReportText.shown($0.reason))] } ?? []
    let pictures = creative.pictures(of: [finding]).map {
      Attachment(
        description: SARIFLog.Message(text: "the picture of the moment"),
        artifactLocation: SARIFLocation.Artifact(uri: SARIFPath.uri(source.link(to: $0, in: creative))))
    }
    attachments = pictures.isEmpty ? nil : pictures
    properties = Properties(
      creative: creative.name, device: creative.record.device.name,
      profiles: finding.profiles.isEmpty ? nil : finding.profiles, value: finding.measure?.value,
      limit: finding.measure?.limit, unit: finding.measure?.unit, expires: suppressed?.expires)
  }

  /// The same finding in the next run, wherever its line has moved to.
  private static func fingerprint(_ finding: Finding, in creative: CreativeReport) -> String {
    let identity = [creative.name, finding.check, finding.key].joined(separator: "\n")
    return SHA256.of(identity).hex
  }
}
