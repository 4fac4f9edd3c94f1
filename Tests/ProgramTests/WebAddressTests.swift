import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Creatives at an address, with various answers of the server.
  @Suite(.timeLimit(.minutes(2))) struct WebAddressTests {
    private let program: Program

    init() throws {
      program = try Program()
    }

    @Test func saysWhatTheServerDidWrong() async throws {
      let server = try LoopbackServer { path, _ in
        switch path {
        case "/ad": .init(body: "<p>ad")
        case "/round": .init(status: "302 Found", location: "/round")
        case "/gone": .init(status: "404 Not Found", body: "<p>gone")
        case "/paper": .init(type: "application/pdf", body: "%PDF-1.4")
        case "/picture": .init(type: "image/png", body: "PNG")
        case "/program": .init(type: "application/octet-stream", body: "\u{1}\u{2}")
        default: nil
        }
      }
      let paths = ["ad", "round", "gone", "paper", "picture", "program", "silence"]
      let creatives = paths.map { "\(server.address)/\($0)" } + ["http://127.0.0.1:9/"]
      let outcome = try await program.render("--json --timeout 4 " + creatives.joined(separator: " "))
      let results = try outcome.document().results
      #expect(
        results.map { $0.code ?? "fine" } == ["fine"] + Array(repeating: "ad-load-failed", count: 5) + [
          "deadline-exceeded", "ad-load-failed",
        ])
      #expect(
        results.map { $0.origin?.rawValue ?? "none" }.dropLast(2) == ["none"] + Array(repeating: "creative", count: 5))
      #expect(results[2].message == "\(server.address)/gone answered with status 404")
      #expect(results[3].message == "\(server.address)/paper is application/pdf, not HTML")
      #expect(outcome.code == 4)
    }

    @Test func answersMraidWhereverItIsAskedFor() async throws {
      let server = try LoopbackServer { path, _ in
        .init(
          body: """
            <!doctype html><script src="../MRAID.js?v=3"></script><p>ad
            <script>console.log(path, typeof mraid.getVersion)</script>
            """.replacing("path", with: "'\(path)'"))
      }
      let creatives = ["/ad", "/deep/down/ad"].map { server.address + $0 }.joined(separator: " ")
      let outcome = try await program.render("--json \(creatives)")
      #expect(outcome.code == 0)
      for path in ["ad", "deep-down-ad"] {
        let port = server.address.split(separator: ":").last ?? ""
        let log = try String(
          contentsOfFile: "\(program.folder)/out/127.0.0.1-\(port)-\(path)/events.ndjson", encoding: .utf8)
        #expect(log.contains("\(path.replacing("-", with: "/")) function\""))
      }
    }

    @Test func keepsRequestsOnTheMachineWhenOffline() async throws {
      let page = """
        <p>ad<script>
        fetch("/here").then(() => console.log("here answers"));
        fetch("http://there.invalid/").catch(() => console.log("there is cut off"));
        </script>
        """
      let server = try LoopbackServer { path, _ in path == "/ad" ? .init(body: page) : .init(type: "text/plain") }
      try program.file("both.yaml", "- wait: {event: console, count: 2}\n")
      let outcome = try await program.render(
        "--json --offline --allow-network 127.0.0.1 --scenario both.yaml \(server.address)/ad http://there.invalid/")
      #expect(try outcome.document().results.map(\.code) == [nil, "ad-load-failed"])
      #expect(outcome.code == 1)
    }

    /// A baseline's command for the ad at an address.
    private func baseline(_ command: String, _ server: LoopbackServer) async throws -> Program.Outcome {
      try await program.shell("CI= exec \"$GALLEY\" baseline \(command) \(server.address)/ad.html --baselines kept")
    }

    @Test func noticesAClickTargetThatWasExchangedAtAnAddress() async throws {
      let page = program.folder + "/page.html"
      let server = try LoopbackServer { _, _ in
        .init(body: (try? String(contentsOfFile: page, encoding: .utf8)) ?? "")
      }
      try program.file("page.html", "<!doctype html><a href='https://shop.example/odd'>ad</a>")
      #expect(try await baseline("record", server).code == 0)
      let same = try await baseline("verify", server)
      #expect(same.code == 0 && !same.output.contains("not compared"), "\(same.output)")
      try program.file("page.html", "<!doctype html><a href='https://evil.example/odd'>ad</a>")
      let other = try await baseline("verify", server)
      #expect(other.code == 1 && other.output.contains("https://shop.example/odd → https://evil.example/odd"))
    }

    @Test func saysThatADocumentIsAnotherEachTime() async throws {
      let server = try LoopbackServer { _, _ in .init(body: "<!doctype html><p>ad<!-- \(UUID()) -->") }
      #expect(try await baseline("record", server).code == 0)
      let same = try await baseline("verify", server)
      #expect(same.code == 0 && same.output.contains("unchanged, files not compared"), "\(same.output)")
    }

    @Test func givesCreativesASecureOriginWithStorage() async throws {
      try program.file(
        "ad.html",
        """
        <!doctype html><script src="deep/mraid.js"></script><p>ad<script>
        localStorage.kept = "kept";
        indexedDB.open("base").onsuccess = () => console.log(
          [isSecureContext, localStorage.kept, typeof crypto.subtle, typeof mraid, "base"].join(" "));
        </script>
        """)
      try program.file("ad.scenario.yaml", "- wait: {event: console}\n")
      #expect(try await program.render("ad.html").code == 0)
      let log = try String(contentsOfFile: program.folder + "/out/ad/events.ndjson", encoding: .utf8)
      #expect(log.contains("true kept object object base"))
    }
  }
}
