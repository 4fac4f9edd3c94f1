import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// `galley doctor` on this machine, and on ones that lack something.
  @Suite(.timeLimit(.minutes(3))) struct DoctorTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Returns the status of each area.
    private func statuses(_ output: String) throws -> [String: String] {
      let document = try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
      let findings = document["findings"]?.array ?? []
      return Dictionary(
        findings.compactMap { finding in
          finding["area"]?.string.flatMap { area in finding["status"]?.string.map { (area, $0) } }
        }, uniquingKeysWith: { $0 + " and " + $1 })
    }

    /// Writes a program that takes precedence over the system's; returns the `PATH` setting for it.
    private func replace(_ name: String, by script: String) throws -> String {
      try program.file("bin/\(name)", "#!/bin/sh\n\(script)\n")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(program.folder)/bin/\(name)")
      return "PATH=\"\(program.folder)/bin:$PATH\""
    }

    @Test func `a machine that renders has no errors, and each area is told once`() async throws {
      let outcome = try await program.shell("exec \"$GALLEY\" doctor --format json")
      let statuses = try statuses(outcome.output)
      #expect(outcome.code == 0)
      #expect(
        statuses.count == 15 && !statuses.values.contains { $0.contains("and") || $0 == "error" }, "\(outcome.output)")
      #expect(statuses["display"] == "ok" && statuses["render"] == "ok" && statuses["codecs"] == "ok")
    }

    @Test func `a display that doesn't start is an error with a remedy`() async throws {
      let path = try replace("Xvfb", by: "echo 'no screens found' >&2; exit 1")
      let outcome = try await program.shell("\(path) exec \"$GALLEY\" doctor")
      #expect(outcome.code == 3)
      #expect(
        outcome.output.contains("error    display      Xvfb ended with status 1: no screens found"), "\(outcome.output)"
      )
      #expect(outcome.output.contains("apt install xvfb") && outcome.output.contains("can't render a test page"))
      #expect(outcome.output.contains("creatives can't be rendered here: 2 errors"))
    }

    @Test func `what only makes renders less is a warning`() async throws {
      let path = try replace("bwrap", by: "echo 'No permissions to create new namespace' >&2; exit 1")
      let outcome = try await program.shell(
        "\(path) LC_ALL=xx_YY.UTF-8 GALLEY_FORK_SERVER=off exec \"$GALLEY\" doctor --json")
      let statuses = try statuses(outcome.output)
      #expect(outcome.code == 0)
      #expect(statuses["sandbox"] == "warning" && statuses["locale"] == "warning", "\(outcome.output)")
      #expect(statuses["fork-server"] == "warning" && statuses["render"] == "ok")
      #expect(outcome.output.contains("No permissions to create new namespace"))
    }

    @Test func `a bundle has what a bug report needs and no secret`() async throws {
      try program.file("Acme_300x250.html", "<h1>Acme</h1><script>nope()</script>")
      let outcome = try await program.shell(
        """
        GALLEY_TOKEN=hush exec "$GALLEY" doctor --bundle out/report.zip --creative Acme_300x250.html
        """)
      #expect(outcome.code == 0 && outcome.output.hasSuffix("for a bug report: out/report.zip\n"), "\(outcome.output)")
      let names = try await program.shell("unzip -Z1 out/report.zip || python3 -m zipfile -l out/report.zip")
      for name in [
        "doctor.json", "limits.txt", "environment.txt", "trial/result/result.json", "creative/Acme_300x250.html",
        "result/Acme_300x250/result.json", "result/Acme_300x250/events.ndjson",
      ] { #expect(names.output.contains(name), "\(name) of \(names.output)") }
      let words = try await program.shell(
        "python3 -c 'import zipfile; z = zipfile.ZipFile(\"out/report.zip\"); print(z.read(\"environment.txt\").decode())'"
      )
      #expect(words.output.contains("GALLEY_TOKEN is set") && !words.output.contains("hush"))
    }

    @Test func `what isn't there can't be packed`() async throws {
      let outcome = try await program.shell("exec \"$GALLEY\" doctor --bundle report.zip --creative nowhere.html")
      #expect(outcome.code == 2 && outcome.errors.contains("[file-missing]"), "\(outcome.errors)")
      #expect(!program.has("report.zip"))
    }
  }

  /// Creatives without a stated size, as a user's first ones often are.
  @Suite(.timeLimit(.minutes(2))) struct AssumedSizeTests {
    private let program: Program

    init() throws { program = try Program() }

    @Test func `each is shown in its own size and the reason is told`() async throws {
      try program.file("Acme_728x90.html", "<body style='margin:0;background:#09c'>sale")
      try program.file("box/index.html", "<link rel=stylesheet href=a.css><body><div id=ad>sale</div>")
      try program.file("box/a.css", "body { margin: 0 } #ad { width: 300px; height: 250px; background: #c00 }")
      try program.file("open/index.html", "<html><p>sale")
      try program.file("latin.html", Data("<body style='width:468px;height:60px'>caf".utf8) + [0xE9])
      let outcome = try await program.render("Acme_728x90.html box open latin.html")
      #expect(outcome.code == 0)
      for line in [
        "728x90 was assumed for Acme_728x90.html, from its name: --size WxH changes it",
        "300x250 was assumed for box, from its first element: --size WxH changes it",
        "468x60 was assumed for latin.html, from its body's style: --size WxH changes it",
        "320x50 was assumed for open, as its size is unknown: --size WxH, --placement interstitial or ad.size",
        "warning: latin.html: latin.html isn't UTF-8 at byte 41 and declares no charset, so it was read as windows-1252",
      ] { #expect(outcome.output.contains(line), "\(outcome.output)") }
      let said = try await program.render("--size 320x100 --json Acme_728x90.html")
      let placement = try said.document().results[0].placement
      #expect(placement?.height == 100 && placement?.assumed == nil && placement?.assumedFrom == nil)
    }
  }
}
