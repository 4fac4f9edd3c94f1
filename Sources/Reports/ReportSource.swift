package import Checks
package import Core
internal import FoundationEssentials
package import RenderModel

/// Data from which all report formats are made.
package struct ReportSource: Sendable {
  /// Verdicts and findings.
  package let report: CheckReport
  /// Absolute path of the folder that the results' folders are relative to.
  package let folder: String
  /// Absolute path that links to pictures are relative to, where CI looks for attachments; nil for absolute links.
  private let base: String?
  /// Time at which the report was written, in milliseconds since 1970; 0 if unknown.
  package var finished: Int
  /// Indicates if checks were run; otherwise the report has the outcomes of renders only.
  package private(set) var isJudged = true
  /// Results of earlier renders that are in the folder as well.
  package private(set) var leftOut: [String] = []

  /// Makes the source from a report that was read, or that a test made.
  package init(report: CheckReport, folder: String, base: String? = nil, finished: Int = 0) {
    self.report = report
    self.folder = folder
    self.base = base
    self.finished = finished
  }

  /// Same source with the creatives that don't pass first, otherwise in their order.
  var failuresFirst: ReportSource {
    var report = report
    let all = report.creatives
    report.creatives = all.filter { $0.status != .passed } + all.filter { $0.status == .passed }
    var source = ReportSource(report: report, folder: folder, base: base, finished: finished)
    source.isJudged = isJudged
    return source
  }

  /// Returns the absolute path of a file of a result.
  ///
  /// Empty if the creative has no folder, and for a file outside of it, since results may come from an untrusted
  /// source.
  func path(of file: String, in creative: CreativeReport) -> String {
    guard !creative.folder.isEmpty else { return "" }
    let below = creative.folder == "." ? file : "\(creative.folder)/\(file)"
    let isMissing = AbsolutePath.isPlain(below) && AbsolutePath.real("\(folder)/\(below)") == nil
    return isMissing || AbsolutePath.isOwn(below, in: folder) ? "\(folder)/\(below)" : ""
  }

  /// Returns the same path in the form that reports use.
  func link(to file: String, in creative: CreativeReport) -> String {
    let path = path(of: file, in: creative)
    guard let base, path.hasPrefix(base + "/") else { return path }
    return String(path.dropFirst(base.count + 1))
  }
}

extension ReportSource {
  /// Makes the source of a render without verdict, for the sections about its course.
  ///
  /// Its folder lies in that of the results.
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

  /// Reads the report of a run of checks in a folder, or else the results of the last renders in or below it.
  /// - Throws: `result-folder-missing` if there is neither.
  package static func results(in folder: String, workingFolder: String) throws(Fault) -> ReportSource {
    let absolute = Self.absolute(folder, in: workingFolder)
    let (report, listing) = ("\(absolute)/\(fileName)", "\(absolute)/\(RunListing.fileName)")
    let isOutdated = FileDate.milliseconds(of: listing) > FileDate.milliseconds(of: report)
    guard !FileManager.default.fileExists(atPath: report) || isOutdated else {
      return try read(folder: folder, workingFolder: workingFolder)
    }
    let isResult = ResultFolder(absolute).isResult
    let (root, own) = isResult ? AbsolutePath.split(absolute) : (absolute, "")
    let found = isResult ? [own] : ResultFolder.names(below: absolute)
    let listed = isResult ? [] : Set(RunListing.read(in: absolute)?.results ?? [])
    let last = found.filter(listed.contains)
    let names = last.isEmpty ? found : last
    let records = names.compactMap { name in
      (try? ResultFolder("\(root)/\(name)").record()).map { (name: name, record: $0) }
    }
    guard !records.isEmpty else {
      throw .request(.resultFolderMissing, "there are no results of a render or a check in \(folder.printable)")
    }
    var source = ReportSource(unjudged: records, in: root)
    for creative in source.report.creatives { try check(creative) }
    source.leftOut = found.filter { !names.contains($0) }
    source.finished = FileDate.milliseconds(of: ResultFolder("\(root)/\(records[0].name)").result)
    return source
  }

  /// Name of the report that a run of checks writes beside the results' folders.
  package static let fileName = "report.json"

  /// Maximum size in bytes of a report that is read.
  private static let largest = 256 << 20

  /// Reads the report of a run of checks in a folder.
  package static func read(folder: String, workingFolder: String) throws(Fault) -> ReportSource {
    let absolute = Self.absolute(folder, in: workingFolder)
    let path = absolute + "/" + fileName
    guard FileManager.default.fileExists(atPath: path) else {
      throw .request("report-missing", "there is no \(fileName) in \(folder): galley check writes it")
    }
    do {
      let bytes = try FileReading.regular(path, most: largest)
      try DocumentVersion.check(bytes, of: path, remedy: "run galley check again")
      let report = try JSONDecoder().decode(CheckReport.self, from: Data(bytes))
      try report.creatives.forEach(check)
      return ReportSource(
        report: report, folder: absolute, base: workingFolder, finished: FileDate.milliseconds(of: path))
    } catch {
      throw error as? Fault ?? .request("report-unreadable", "\(path) isn't a report of galley check")
    }
  }

  /// Rejects reports that name paths outside their folder, so that none of these is read or copied.
  private static func check(_ creative: CreativeReport) throws(Fault) {
    let strip = creative.record.filmstrip.map { [$0.sheet, $0.animation] } ?? []
    let files = creative.record.screenshots.map(\.path) + strip
    let paths = (creative.folder.isEmpty ? [] : [creative.folder]) + files
    for path in paths where !AbsolutePath.isPlain(path) || path.unicodeScalars.contains(where: \.isUnprintable) {
      throw .request("report-unreadable", "the report names a path outside its folder: \(path.printable)")
    }
    guard files.isEmpty || !creative.folder.isEmpty else {
      throw .request("report-unreadable", "the report has screenshots of \(creative.name.printable) but no folder")
    }
  }

  private static func absolute(_ path: String, in workingFolder: String) -> String {
    var path = AbsolutePath.written(path, in: workingFolder)
    while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    return path
  }
}

/// JSON format that all JSON reports share.
enum ReportJSON {
  /// Returns the value as indented JSON with sorted keys and one line feed at the end.
  static func text(_ value: some Encodable) throws(Fault) -> String {
    do {
      return try JSONText.of(value)
    } catch {
      throw .engine("report-failed", "a report can't be written as JSON: \(error)")
    }
  }
}
