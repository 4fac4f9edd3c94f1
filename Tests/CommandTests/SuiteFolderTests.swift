import Conformance
import Foundation
import Jobs
import Testing

@testable import galley

@Suite struct SuiteFolderTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private static let suite = SuiteFolder(path: root + "/" + SuiteFolder.standard)

  @Test func isFoundAboveTheProgram() throws {
    let found = try SuiteFolder.find(nil, program: Self.root + "/.build/debug/galley")
    #expect(FileManager.default.fileExists(atPath: found.path + "/suite.js"))
  }

  @Test func everyRuleStandsInOneCreative() throws {
    let cases = try Self.suite.cases()
    #expect(Set(cases.map(\.rule)).count == cases.count)
    #expect(Set(cases.map(\.section)) == Set(ConformanceSection.allCases))
    #expect(cases.map(\.assertions).reduce(0, +) >= 120)
  }

  @Test func everyDeviceCanBeRead() throws {
    for subject in try Self.suite.cases() { _ = try Self.suite.device(of: subject) }
  }

  /// Read from the table in README.md, which nobody has to keep true by hand.
  @Test func theReadmeHasItsTable() throws {
    let readme = try String(contentsOfFile: Self.root + "/README.md", encoding: .utf8)
    let cases = try Self.suite.cases()
    let rows = ConformanceSection.allCases.map { section in
      let own = cases.filter { $0.section == section }
      return "| \(section.rawValue) | \(section.title) | \(own.count) | \(own.map(\.assertions).reduce(0, +)) |"
    }
    let sum = "| | all | \(cases.count) | \(cases.map(\.assertions).reduce(0, +)) |"
    let table = (rows + [sum]).joined(separator: "\n") + "\n"
    let hasTable = readme.contains(table)
    #expect(hasTable, "README.md should have:\n\(table)")
  }
}
