import Checks
import Foundation
import Jobs
import Testing

@testable import Reports

@Suite("Reading what checks left")
struct ReportReadingTests {
  private func code(_ folder: String) -> String? {
    do throws(Fault) {
      _ = try ReportSource.read(folder: folder, workingFolder: "/")
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a report is read as it was written, and dated by its file")
  func reading() throws {
    let folder = try SampleFolder(Sample.full)
    let source = try ReportSource.read(folder: folder.path + "/", workingFolder: folder.path)
    #expect(source.report == Sample.full)
    #expect(source.folder == folder.path)
    #expect(abs(Double(source.finished) / 1000 - Date().timeIntervalSince1970) < 60)
  }

  @Test("a folder without a report, or with another document, is a wrong call")
  func missing() throws {
    let folder = try SampleFolder(Sample.full)
    try Data("{}".utf8).write(to: URL(filePath: folder.path + "/report.json"))
    #expect(code(folder.path) == "report-unreadable")
    try FileManager.default.removeItem(atPath: folder.path + "/report.json")
    #expect(code(folder.path) == "report-missing")
  }

  @Test("a report that leads out of its folder is refused", arguments: ["../secret", "/etc", "a/../../b"])
  func outside(path: String) throws {
    var report = Sample.report([Sample.creative("fine")])
    let folder = try SampleFolder(report)
    report.creatives[0].folder = path
    try JSONEncoder().encode(report).write(to: URL(filePath: folder.path + "/report.json"))
    #expect(code(folder.path) == "report-unreadable")
  }
}
