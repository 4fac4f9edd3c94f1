import Foundation
import Testing

/// Statements of the documentation about the program, compared with the program by `Scripts/docs check`.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path()

  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  @Test func `the reference is fresh, links lead somewhere and every option that is named exists`() async throws {
    let script = "PYTHONDONTWRITEBYTECODE=1 exec python3 '\(Self.root)Scripts/lib' docs"
    let outcome = try await program.shell(
      "\(script) --root '\(Self.root)' --build '\(program.folder)' --galley \"$GALLEY\" check")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }
}
