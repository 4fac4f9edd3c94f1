import Core
import Foundation
import RenderModel
import Testing

extension ServerTier {
  /// Inherited properties of the caller: language, time zone, home, limits, signals, and the worker's own pipes.
  @Suite(.timeLimit(.minutes(4))) struct SurroundingsTests {
    private let program: Program
    private let server: LoopbackServer

    init() throws {
      program = try Program()
      // The page waits for a script that never comes.
      server = try LoopbackServer { path, _ in path == "/never" ? nil : .init(body: "<p>ad") }
      try program.file("ad.html", Self.page)
    }

    private static let page = """
      <!doctype html><meta name="ad.size" content="width=320,height=250"><input type=date value=2026-02-03>
      <input type=number value=1234.5 step=any><p id=text></p><script>
      const day = new Date();
      text.textContent = [navigator.language, navigator.languages, Intl.DateTimeFormat().resolvedOptions().locale,
        Intl.DateTimeFormat().resolvedOptions().timeZone, day.toString(), day.toLocaleString(), (1234.5).toLocaleString(),
        new Date(document.lastModified).getTimezoneOffset(), day.getTimezoneOffset(),
        new Intl.DateTimeFormat(navigator.language, { dateStyle: "full" }).format(day)].join(" | ");
      console.log(text.textContent);
      </script>
      """

    /// Renders the ad; returns the picture's bytes and the page's text.
    private func render(_ before: String, _ options: String = "") async throws -> (picture: Data, text: String) {
      let out = "out-\(UUID().uuidString)"
      let outcome = try await program.shell(
        "\(before) exec \"$GALLEY\" render ad.html --seed 1 --date 2026-02-03T04:05:06Z --out \(out) \(options)")
      #expect(outcome.code == 0, "\(before): \(outcome.output)\(outcome.errors)")
      let folder = "\(program.folder)/\(out)/ad"
      let log = try String(contentsOfFile: folder + "/events.ndjson", encoding: .utf8)
      let line = try #require(log.split(separator: "\n").first { $0.contains("\"console\"") }, "\(log)")
      let message = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))["detail"]?["text"]?.string
      return (try Data(contentsOf: URL(filePath: folder + "/screenshots/001-default.png")), try #require(message))
    }

    @Test func `a caller's surroundings change neither picture nor log`() async throws {
      let plain = try await render("unset LANG LC_ALL LANGUAGE TZ;")
      #expect(plain.text.hasPrefix("en-US | en-US | en-US | UTC | Tue Feb 03 2026 04:05:06 GMT+0000"), "\(plain.text)")
      #expect(plain.text.hasSuffix("| 0 | 0 | Tuesday, February 3, 2026"), "\(plain.text)")
      for before in [
        "export LANG=C.UTF-8;", "export LC_ALL=C;", "export LC_ALL=de_DE.UTF-8 LANGUAGE=de;", "export TZ=Asia/Tokyo;",
        "export TZ=:America/Los_Angeles;", "umask 077;", "umask 777;", "export HOME=/nowhere;", "ulimit -S -n 64;",
        "ulimit -S -s 512;", "export GTK_THEME=HighContrast G_DEBUG=fatal-warnings;", "ulimit -S -f 200;",
        "trap '' CHLD;",
      ] {
        let found = try await render(before)
        #expect(found.text == plain.text, "\(before)")
        #expect(found.picture == plain.picture, "\(before): another picture")
      }
    }

    @Test func `language and time zone are those that are asked for`() async throws {
      let found = try await render("export LANG=C TZ=UTC;", "--locale de-DE --time-zone Asia/Tokyo")
      #expect(
        found.text.hasPrefix("de-DE | de-DE | de-DE | Asia/Tokyo | Tue Feb 03 2026 13:05:06 GMT+0900"), "\(found.text)")
      #expect(found.text.contains("| 1.234,5 |") && found.text.hasSuffix("| -540 | -540 | Dienstag, 3. Februar 2026"))
      let unforked = try await render("export GALLEY_FORK_SERVER=off;", "--locale de-DE --time-zone Asia/Tokyo")
      #expect(unforked.text == found.text && unforked.picture == found.picture)
    }

    @Test func `each render has its own language, also in what servers are told`() async throws {
      let service = try await RunningServer(program, "--allow-private-network")
      var ids: [(String, String)] = []
      for (locale, path) in [("fr-FR", "/fr"), ("en-US", "/en"), ("ja-JP", "/ja")] {
        let made = try await service.send("POST", "/v1/renders", ["url": "\(server.address)\(path)", "locale": locale])
        #expect(made.status == 202)
        ids.append((made.id, path))
      }
      for (id, _) in ids { #expect(try await service.ended(id).renderStatus == "completed") }
      for (locale, path) in [("fr-FR", "/fr"), ("en-US", "/en"), ("ja-JP", "/ja")] {
        #expect(server.header("Accept-Language", of: path)?.hasPrefix(locale) == true, "\(path)")
      }
    }

    @Test func `nothing below a worker has its pipes`() async throws {
      try program.file("waits/index.html", "<p>ad<script src='\(server.address)/never'></script>")
      let running = try program.start("exec \"$GALLEY\" render waits --timeout 20 --out out")
      defer { running.stop() }
      await server.awaitRequest("/never")
      let processes = try #require(RunProcesses(of: running.id))
      let worker = try #require(processes.ids(.worker).first)
      let pipes = Self.pipes(of: worker)
      #expect(pipes.count >= 3, "\(pipes)")
      for kind in [RunProcesses.Kind.webProcess, .networkProcess, .forkServer, .display] {
        for process in processes.ids(kind) {
          let shared = Self.pipes(of: process).intersection(pipes)
          #expect(shared.isEmpty, "\(kind) \(process) has \(shared)")
        }
      }
    }

    private static func pipes(of process: Int32) -> Set<String> {
      let folder = "/proc/\(process)/fd"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let links = files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
      return Set(links.filter { $0.hasPrefix("pipe:") })
    }

    @Test(arguments: [
      ("-n 16", "open files (ulimit -n) is 16"), ("-n 128", "open files (ulimit -n) is 128"),
      ("-f 100", "file size (ulimit -f) is"), ("-v 4000000", "address space (ulimit -v) is 4000000 KiB"),
      ("-s 512", "stack (ulimit -s) is 512 KiB"),
    ])
    func `a limit that is too low is the machine's, and named`(limit: String, told: String) async throws {
      let outcome = try await program.shell("ulimit \(limit); exec \"$GALLEY\" render ad.html --out out")
      #expect(outcome.code == 3, "\(outcome.errors)")
      #expect(outcome.errors.contains(told) && outcome.errors.contains("[limit-too-low]"), "\(outcome.errors)")
    }

    @Test func `a sandbox that is off is said by every command, and can be demanded`() async throws {
      let warning = "warning: WebKit's sandbox was off in 1 render"
      for command in ["render ad.html --out out", "render ad.html --out out --json", "check ad.html --out out --quiet"]
      {
        let outcome = try await program.start("exec \"$GALLEY\" \(command)", sandbox: false).outcome()
        #expect(outcome.errors.contains(warning), "\(command): \(outcome.errors)")
        let inside = try await program.shell("exec \"$GALLEY\" \(command)")
        #expect(!inside.errors.contains("sandbox"), "\(command): \(inside.errors)")
      }
      let demanding = "exec \"$GALLEY\" render ad.html --out out --json --require-sandbox"
      let refused = try await program.start(demanding, sandbox: false).outcome()
      #expect(try refused.code == 3 && refused.document().results.map(\.code) == ["sandbox-missing"])
      #expect(try await program.shell(demanding).code == 0)
    }

    @Test(arguments: ["serve --port 0 --data data", "work --queue nats://127.0.0.1:1"])
    func `a server doesn't start without the sandbox unless that is allowed`(command: String) async throws {
      let refused = try await program.start("exec \"$GALLEY\" \(command)", sandbox: false).outcome()
      #expect(refused.code == 3 && refused.errors.contains("[sandbox-missing]"), "\(refused.errors)")
      guard command.hasPrefix("serve") else { return }
      let allowed = try program.start("exec \"$GALLEY\" \(command) --allow-unsandboxed", sandbox: false)
      #expect(try await allowed.address().hasPrefix("http://"))
      allowed.signal(SIGTERM)
      let outcome = await allowed.outcome()
      #expect(outcome.code == 0 && outcome.errors.contains("warning: WebKit's sandbox is off"), "\(outcome.errors)")
    }
  }
}
