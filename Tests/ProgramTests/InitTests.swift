import Foundation
import Testing

extension ProgramTier {
  /// Files that `galley init` writes, which all commands accept.
  @Suite("New projects", .timeLimit(.minutes(3)))
  struct InitTests {
    private let program: Program

    init() throws { program = try Program() }

    private func text(_ file: String) throws -> String {
      try String(contentsOfFile: "\(program.folder)/\(file)", encoding: .utf8)
    }

    private static let expanding = """
      <meta name="ad.size" content="width=320,height=50"><title>ad</title><script src="mraid.js"></script>
      <div id="open" style="width:320px;height:50px;background:#246;color:#fff">open</div>
      <script>document.getElementById("open").onclick = () => mraid.expand();</script>
      """

    @Test("a project begins with what check takes at once, and nothing is ever written over")
    func begins() async throws {
      try program.file("ads/spring 24/banner one.html", Self.expanding)
      try program.file("ads/plain/index.html", "<title>ad</title><p>ad")
      #expect(try await program.shell("git init --quiet .").code == 0)
      let begun = try await program.shell("exec \"$GALLEY\" init --ci gitlab")
      #expect(begun.code == 0, "\(begun.errors)")
      #expect(begun.output.contains("wrote  ads/galley.yaml\n"), "\(begun.output)")
      #expect(begun.output.contains("none   nothing in ads/plain can be tapped"), "\(begun.output)")
      #expect(begun.output.contains("wrote  ads/spring 24/banner one.scenario.yaml, taps #open\n"), "\(begun.output)")
      #expect(begun.output.contains("wrote  .gitlab-ci.yml"), "\(begun.output)")
      #expect(begun.output.contains("galley check ads --recursive\n"), "\(begun.output)")
      #expect(try text(".gitlab-ci.yml").contains("galley check ads --recursive"))
      #expect(!(try text(".gitlab-ci.yml").contains("check creatives")))

      let checked = try await program.shell(
        "exec \"$GALLEY\" check ads --recursive --out proofs --idle-time 0.2 --measure-time 0.3")
      #expect(checked.code < 2, "\(checked.errors)")
      let result = try text("proofs/spring 24/banner one/result.json")
      #expect(result.contains("\"tap: \\\"#open\\\"\"") && result.contains("\"expanded\""), "\(result)")

      try program.file("ads/galley.yaml", "fail-on: warning\n")
      let again = try await program.shell("exec \"$GALLEY\" init --ci gitlab")
      #expect(again.code == 0 && !again.output.contains("wrote"), "\(again.output)")
      #expect(again.output.contains("kept   ads/galley.yaml, which already exists"))
      #expect(try text("ads/galley.yaml") == "fail-on: warning\n")
    }

    @Test("an empty folder gets the project's file; what can't be done is told before anything is written")
    func refusals() async throws {
      try program.file("empty/.keep", "")
      let empty = try await program.shell("exec \"$GALLEY\" init empty")
      #expect(empty.code == 0 && empty.output.contains("empty has no creatives yet"), "\(empty.output)")
      #expect(program.has("empty/galley.yaml"))
      try program.file("one.html", Self.expanding)
      let root = try await program.shell("exec \"$GALLEY\" init . --ci github")
      #expect(root.code == 2 && root.errors.contains("[ci-folder-invalid]"), "\(root.errors)")
      try program.file("it's/one.html", Self.expanding)
      let quoted = try await program.shell("exec \"$GALLEY\" init \"it's\" --ci jenkins")
      #expect(quoted.code == 2 && quoted.errors.contains("[ci-folder-invalid]"), "\(quoted.errors)")
      #expect(!program.has("galley.yaml") && !program.has("it's/galley.yaml") && !program.has("Jenkinsfile"))
      let missing = try await program.shell("exec \"$GALLEY\" init nowhere")
      #expect(missing.code == 2 && missing.errors.contains("[folder-missing]"), "\(missing.errors)")
      let unknown = try await program.shell("exec \"$GALLEY\" init --ci travis")
      #expect(unknown.code == 2 && unknown.errors.contains("--ci"), "\(unknown.errors)")
    }
  }
}
