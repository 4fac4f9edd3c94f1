internal import Checks
internal import Core
internal import FoundationEssentials
internal import RenderModel

/// Result of one finding, suppressed or not.
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
    /// Name of the playable's build; nil for other checks.
    let build: String?
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
        description: SARIFLog.Message(text: "screenshot at that moment"),
        artifactLocation: SARIFLocation.Artifact(uri: SARIFPath.uri(source.link(to: $0, in: creative))))
    }
    attachments = pictures.isEmpty ? nil : pictures
    properties = Properties(
      creative: creative.name, device: creative.record.device.name, build: creative.build,
      profiles: finding.profiles.isEmpty ? nil : finding.profiles, value: finding.measure?.value,
      limit: finding.measure?.limit, unit: finding.measure?.unit, expires: suppressed?.expires)
  }

  /// Returns the fingerprint by which the finding is recognized in the next run, even if its line has moved.
  private static func fingerprint(_ finding: Finding, in creative: CreativeReport) -> String {
    let identity = [creative.name, finding.check, finding.key].joined(separator: "\n")
    return SHA256.of(identity).hex
  }
}

/// Location of a finding: a file of the creative, or the creative as it was given.
struct SARIFLocation: Encodable {
  struct Artifact: Encodable {
    let uri: String
  }
  struct Region: Encodable {
    let startLine: Int
    let startColumn: Int?
  }
  struct Physical: Encodable {
    let artifactLocation: Artifact
    let region: Region?
  }
  struct Logical: Encodable {
    let name: String
    let kind = "resource"
  }

  let physicalLocation: Physical
  /// File inside of a creative that is an archive itself or was fetched; nil for others.
  let logicalLocations: [Logical]?

  init(_ place: Finding.Place?, in creative: CreativeReport) {
    let (path, inner) = SARIFPath.file(of: place, in: creative)
    // A line of a file in a zip is no line of the zip.
    let line = inner == nil ? place?.line.map { max(1, $0) } : nil
    physicalLocation = Physical(
      artifactLocation: Artifact(uri: SARIFPath.uri(path)),
      region: line.map { Region(startLine: $0, startColumn: place?.column.map { max(1, $0) }) })
    logicalLocations = inner.map { [Logical(name: ReportText.line($0))] }
  }
}

/// Paths as the URI references that SARIF requires.
enum SARIFPath {
  /// Returns the file to point to, and the name inside of it if it is an archive or was fetched.
  static func file(of place: Finding.Place?, in creative: CreativeReport) -> (path: String, inner: String?) {
    let given = creative.creativePath == "-" ? "stdin" : creative.creativePath
    guard let file = place?.file ?? creative.record.creative.document else { return (given, nil) }
    if file.contains("://") { return (file, nil) }
    switch creative.record.creative.kind {
    case "folder": return (given.hasSuffix("/") ? given + file : "\(given)/\(file)", nil)
    case "html", "fragment":
      let folder = given.lastIndex(of: "/").map { String(given[...$0]) } ?? ""
      return (folder + file, nil)
    default: return (given, file)
    }
  }

  /// Returns a relative reference, a `file` URI for an absolute path, or a URL unchanged.
  static func uri(_ path: String) -> String {
    guard !path.contains("://") else { return address(path) }
    let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return (path.hasPrefix("/") ? "file://" : "") + escaped(path, keeping: kept)
  }

  /// Returns a URL of any scheme with invalid characters escaped; its own escapes stay.
  static func address(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
    let escapes = parts.dropFirst().map { part in
      let isEscape = part.utf8.count >= 2 && part.utf8.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      return (isEscape ? "%" : "%25") + escaped(part, keeping: kept + reserved)
    }
    return escaped(parts[0], keeping: kept + reserved) + escapes.joined()
  }

  private static func escaped(_ text: String, keeping kept: [UInt8]) -> String {
    text.utf8.map { kept.contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }

  private static let kept = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
  /// Reserved characters that are also valid in a URL.
  private static let reserved = Array(":?#@!$&'()*+,;=".utf8)
}
