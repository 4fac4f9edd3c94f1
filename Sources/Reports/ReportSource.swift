package import Checks
package import Core
internal import FoundationEssentials
package import RenderModel

/// What every report format is made from.
package struct ReportSource: Sendable {
  /// What was found.
  package let report: CheckReport
  /// The folder that the results' folders are relative to, absolute.
  package let folder: String
  /// The folder that paths to pictures start from, absolute: where CI looks for attachments. Nil leaves them absolute.
  private let base: String?
  /// When the report was written, in milliseconds since 1970; 0 when nobody knows.
  package var finished: Int
  /// Whether checks were asked for; else it tells only what renders came to.
  package private(set) var isJudged = true

  /// Takes a report that was read, or is made by hand for tests.
  package init(report: CheckReport, folder: String, base: String? = nil, finished: Int = 0) {
    self.report = report
    self.folder = folder
    self.base = base
    self.finished = finished
  }

  /// A file of a result's, absolute.
  func path(of file: String, in creative: CreativeReport) -> String {
    creative.folder.isEmpty ? "" : "\(folder)/\(creative.folder)/\(file)"
  }

  /// The same as reports name it.
  func link(to file: String, in creative: CreativeReport) -> String {
    let path = path(of: file, in: creative)
    guard let base, path.hasPrefix(base + "/") else { return path }
    return String(path.dropFirst(base.count + 1))
  }
}

extension ReportSource {
  /// A render that nobody judged, for the sections that tell what happened; its folder lies in that of the results.
  package init(unjudged record: RenderRecord, name: String, results: String) {
    self.init(unjudged: [(name, record)], in: results)
  }

  private init(unjudged results: [(name: String, record: RenderRecord)], in folder: String) {
    let creatives = results.map { name, record in
      let status: CreativeReport.Status =
        switch record.outcome {
        case .completed: .passed
        case .timedOut: .timedOut
        case .failed, .crashed: .failed
        }
      return CreativeReport(name: name, folder: name, record: record, status: status)
    }
    self.init(
      report: CheckReport(galley: Galley.version, rules: [], profiles: [], creatives: creatives), folder: folder)
    isJudged = false
  }

  /// What a run of checks left in a folder, else what renders left in or below it.
  /// - Throws: `result-folder-missing` where neither did.
  package static func results(in folder: String, workingFolder: String) throws(Fault) -> ReportSource {
    let absolute = Self.absolute(folder, in: workingFolder)
    guard !FileManager.default.fileExists(atPath: "\(absolute)/\(fileName)") else {
      return try read(folder: folder, workingFolder: workingFolder)
    }
    let isResult = ResultFolder(absolute).isResult
    let (root, own) = isResult ? AbsolutePath.split(absolute) : (absolute, "")
    let names = isResult ? [own] : ResultFolder.names(below: absolute)
    let records = names.compactMap { name in
      (try? ResultFolder("\(root)/\(name)").record()).map { (name: name, record: $0) }
    }
    guard !records.isEmpty else {
      throw .request("result-folder-missing", "neither a render nor a check left results in \(folder.printable)")
    }
    var source = ReportSource(unjudged: records, in: root)
    for creative in source.report.creatives { try check(creative) }
    source.finished = FileDate.milliseconds(of: ResultFolder("\(root)/\(records[0].name)").result)
    return source
  }

  /// The name of the file that a run of checks leaves beside the results' folders.
  package static let fileName = "report.json"

  /// Bytes of a report that is read.
  private static let largest = 256 << 20

  /// Reads what a run of checks left in a folder.
  package static func read(folder: String, workingFolder: String) throws(Fault) -> ReportSource {
    let absolute = Self.absolute(folder, in: workingFolder)
    let path = absolute + "/" + fileName
    guard FileManager.default.fileExists(atPath: path) else {
      throw .request("report-missing", "there is no \(fileName) in \(folder): it is what galley check leaves there")
    }
    do {
      let bytes = try FileReading.regular(path, most: largest)
      try DocumentVersion.check(bytes, of: path, remedy: "run galley check anew")
      let report = try JSONDecoder().decode(CheckReport.self, from: Data(bytes))
      try report.creatives.forEach(check)
      return ReportSource(
        report: report, folder: absolute, base: workingFolder, finished: FileDate.milliseconds(of: path))
    } catch {
      throw error as? Fault ?? .request("report-unreadable", "\(path) isn't a report of galley check")
    }
  }

  /// A report from elsewhere mustn't make anybody read or copy what lies outside its folder.
  private static func check(_ creative: CreativeReport) throws(Fault) {
    let paths = [creative.folder] + creative.record.screenshots.map(\.path)
    for path in paths where path.hasPrefix("/") || path.split(separator: "/").contains("..") {
      throw .request("report-unreadable", "the report names a path outside its folder: \(path)")
    }
  }

  private static func absolute(_ path: String, in workingFolder: String) -> String {
    var path = AbsolutePath.written(path, in: workingFolder)
    while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    return path
  }
}

/// JSON as every report format of it is written.
enum ReportJSON {
  /// Indented, keys sorted, one line feed at the end.
  static func text(_ value: some Encodable) throws(Fault) -> String {
    do {
      return try JSONText.of(value)
    } catch {
      throw .engine("report-failed", "a report can't be written as JSON: \(error)")
    }
  }
}
