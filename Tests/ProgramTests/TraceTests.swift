import Core
import Foundation
import Testing

extension ProgramTier {
  @Suite("Traces", .timeLimit(.minutes(3)))
  struct TraceTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let markup = """
      <meta name="ad.size" content="width=320,height=50"><script src="mraid.js"></script>
      <div id="open" style="width:320px;height:50px">open</div>
      <script>document.getElementById("open").onclick = () => mraid.expand();</script>
      """

    private func bytes(_ file: String) throws -> Data {
      try Data(contentsOf: URL(filePath: "\(program.folder)/\(file)"))
    }

    @Test("a scenario that fails leaves a trace, and its result gives the same again")
    func failing() async throws {
      try program.file("ad/index.html", Self.markup)
      try program.file("ad/scenario.yaml", "- tap: \"#open\"\n- tap: \"#nothere\"\n")
      #expect(try await program.render("ad --trace a/trace.zip").code == 1)
      let trace = try bytes("a/trace.zip")
      #expect(trace.starts(with: [0x50, 0x4B, 3, 4]))
      // A picture is stored as it is.
      let picture = try bytes("out/ad/screenshots/001-default.png")
      #expect(trace.range(of: picture) != nil)
      #expect(try await program.shell("exec \"$GALLEY\" trace out --output again.zip").code == 0)
      #expect(try bytes("again.zip") == trace)
    }

    @Test("check leaves one as well")
    func checking() async throws {
      try program.file("ad/index.html", Self.markup)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check ad --out out --idle-time 0.3 --measure-time 0.3 --trace trace.zip")
      #expect(outcome.code < 2)
      #expect(try bytes("trace.zip").range(of: Data("resources/src@".utf8)) == nil)
    }

    @Test("a trace is of one render: several are refused before anything is rendered, and named where they are there")
    func several() async throws {
      try program.file("one.html")
      try program.file("two.html")
      let refused = try await program.render("one.html two.html --trace t.zip")
      #expect(refused.code == 2 && refused.errors.contains("[trace-of-several]"))
      #expect(!program.has("out/one/result.json") && !program.has("t.zip"))
      #expect(try await program.render("one.html two.html").code == 0)
      let ambiguous = try await program.shell("exec \"$GALLEY\" trace out")
      #expect(ambiguous.code == 2 && ambiguous.errors.contains("out/one, out/two"))
      #expect(try await program.shell("exec \"$GALLEY\" trace out/two").code == 0)
      #expect(program.has("trace.zip"))
      let missing = try await program.shell("exec \"$GALLEY\" trace nowhere")
      #expect(missing.code == 2 && missing.errors.contains("[result-folder-missing]"))
    }
  }
}
