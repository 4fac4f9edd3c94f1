import Foundation
import Testing

@testable import Core

/// Table of error codes, compared with the sources and the reference.
@Suite struct ErrorCodesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let codes = ErrorCodes.meanings.map(\.code)

  @Test func `codes are a subject and a problem, sorted, each once`() throws {
    for code in Self.codes { #expect(code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)+/) != nil, "\(code)") }
    #expect(Self.codes == Set(Self.codes).sorted())
    for (code, meaning) in ErrorCodes.meanings { #expect(meaning.hasSuffix("."), "\(code)") }
  }

  @Test func `the reference is made from the table`() throws {
    let file = try String(contentsOf: Self.root.appending(path: "docs/reference/error-codes.md"), encoding: .utf8)
    #expect(file == ErrorCodes.reference, "docs/reference/error-codes.md should be:\n\(ErrorCodes.reference)")
  }

  @Test func `every code that the sources make is in the table, and every code of the table is made`() throws {
    let sources = try Self.sources()
    let site =
      #/
      (?:\.(?:request|creative|deadline|engine)|\bProblem|\bBidError|\breject)\(\s*
      (?:[0-9]+,\s*)?(?:\.(?:engine|request)\(\s*)?"([a-z0-9]+(?:-[a-z0-9]+)*)",\s
      /#
    var made: Set<String> = []
    for text in sources { for match in text.matches(of: site) { made.insert(String(match.output.1)) } }
    #expect(made.count > 100)
    #expect(made.subtracting(Self.codes).sorted() == [])
    let quoted = Set(sources.flatMap { $0.split(separator: "\"", omittingEmptySubsequences: false) })
    #expect(Self.codes.filter { !quoted.contains($0[...]) } == [])
  }

  /// Returns the texts of all source files except the table's own.
  private static func sources() throws -> [String] {
    let folder = root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "ErrorCodes.swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
