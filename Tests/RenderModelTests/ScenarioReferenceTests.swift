import Foundation
import Testing

@testable import RenderModel

@Suite("The reference of scenarios")
struct ScenarioReferenceTests {
  private static let reference = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../docs/reference/scenario.md").standardizedFileURL

  @Test("has a row for every step", arguments: StepReader.Word.allCases)
  func steps(word: StepReader.Word) throws {
    let text = try String(contentsOf: Self.reference, encoding: .utf8)
    let named = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.contains { row in
      let steps = row.split(separator: "|").first ?? ""
      return steps.contains("`\(word.rawValue)`") || steps.contains("`\(word.rawValue):")
    }
    #expect(named, "docs/reference/scenario.md has no row for \(word.rawValue)")
  }
}
