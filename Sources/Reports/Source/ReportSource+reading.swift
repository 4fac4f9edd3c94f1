internal import Checks
internal import Core
internal import FoundationEssentials
package import Jobs

extension ReportSource {
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
      let report = try JSONDecoder().decode(CheckReport.self, from: Data(FileReading.regular(path, most: largest)))
      guard report.schema == 1 else {
        throw Fault.request("report-unreadable", "\(path) is of a later Galley: schema \(report.schema)")
      }
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
    var path = path.hasPrefix("/") ? path : workingFolder + "/" + path
    while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    return path
  }
}
