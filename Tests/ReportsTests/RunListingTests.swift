import Checks
import Foundation
import RenderModel
import Testing

@testable import Reports

/// Reports of renders' results, which list the last run.
@Suite struct RunListingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "galley-\(UUID().uuidString)").path()

  @Test func leavesOutResultsOfEarlierRenders() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["a", "b"] {
      try ResultFolder.begin("\(folder)/\(name)").write(Sample.record(name, .passed))
    }
    #expect(try ReportSource.results(in: folder, workingFolder: folder).report.creatives.map(\.name) == ["a", "b"])
    try RunListing(results: ["a"]).write(in: folder)
    let source = try ReportSource.results(in: folder, workingFolder: folder)
    #expect(source.report.creatives.map(\.name) == ["a"])
    #expect(source.leftOut == ["b"])
    RunListing.remove(in: folder)
    #expect(try ReportSource.results(in: folder, workingFolder: folder).leftOut.isEmpty)
  }
}
