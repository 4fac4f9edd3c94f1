internal import Checks
internal import Jobs

/// Where a finding is: a file of the creative's, or the creative as it was given.
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
  /// The file inside of a creative that is a file itself.
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
