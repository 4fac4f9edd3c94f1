import Foundation
import MRAID
import RenderModel
import Testing

extension ServerTier {
  /// The local page of `galley play`, asked as its script asks.
  @Suite(.timeLimit(.minutes(2))) struct PlayTests {
    private let program: Program

    init() throws { program = try Program() }

    private struct Scene: Decodable {
      struct Step: Decodable {
        let text: String
        let failure: String?
        let candidates: [String]?
      }
      struct Spot: Decodable {
        let step: String
      }
      let number: Int
      let state: String?
      let failure: String?
      let picture: String?
      let isSaved: Bool
      let savedTo: String?
      let changed: [String]
      let steps: [Step]
      let spots: [Spot]
    }

    /// A started page; it ends with the test.
    private final class Page: Sendable {
      let running: RunningProgram
      let address: String

      init(_ program: Program, _ words: String, before: String = "") async throws {
        running = try program.start("\(before)exec \"$GALLEY\" play \(words)")
        address = try await running.address()
      }

      deinit { running.stop() }

      func send(_ method: String, _ path: String, _ body: String = "") async throws -> (Int, Data) {
        let answer = try await HTTPRequest(method: method, address: address + path, body: Data(body.utf8)).answer()
        return (answer.status, answer.body)
      }

      func scene(after number: Int = 0) async throws -> Scene {
        try JSONDecoder().decode(Scene.self, from: try await send("GET", "scene?after=\(number)").1)
      }
    }

    @Test func aPersonTapsTakesBackAndKeepsTheSteps() async throws {
      try program.file("ad/index.html", ExpandingAd.page("#c00"))
      let page = try await Page(program, "ad")
      let first = try await page.scene()
      #expect(first.state == "default" && first.failure == nil && first.isSaved)
      #expect(first.spots.map(\.step).contains("tap: \"body\""))
      let picture = try await page.send("GET", try #require(first.picture))
      #expect(picture.0 == 200 && picture.1.starts(with: [0x89, 0x50, 0x4E, 0x47]))

      #expect(try await page.send("POST", "steps", "tap: \"body\"").0 == 204)
      let expanded = try await page.scene(after: first.number)
      #expect(expanded.state == "expanded" && !expanded.isSaved)
      #expect(expanded.spots.map(\.step).contains("close"))

      #expect(try await page.send("POST", "steps", "close").0 == 204)
      let closed = try await page.scene(after: expanded.number)
      #expect(closed.state == "default" && closed.steps.count == 2)
      #expect(try await page.send("DELETE", "steps/1?after=true").0 == 204)
      let back = try await page.scene(after: closed.number)
      #expect(back.state == "expanded" && back.steps.map(\.text) == ["tap: \"body\""])

      #expect(try await page.send("POST", "save").0 == 204)
      #expect(program.has("ad/scenario.yaml"))
      let saved = try await page.scene()
      #expect(saved.isSaved && saved.savedTo?.hasSuffix("ad/scenario.yaml") == true)
      let rendered = try await program.render("ad --json").document()
      #expect(rendered.results.first?.states.map(\.rawValue) == ["default", "expanded"])
    }

    @Test func aFileThatChangesIsShownInTheSameState() async throws {
      try program.file("ad/index.html", ExpandingAd.page("#c00"))
      try program.file("ad/scenario.yaml", "- tap: body\n")
      let page = try await Page(program, "ad")
      let first = try await page.scene()
      #expect(first.state == "expanded" && first.isSaved)
      try program.file("ad/index.html", "<script src=mraid.js></script><p id=other>other</p>")
      let changed = try await page.scene(after: first.number)
      #expect(changed.changed == ["index.html"])
      #expect(changed.state == "default")
    }

    @Test func whatLiesBesideADocumentIsWatchedAndTheFolderForRendersGoes() async throws {
      try program.file("ad/banner.html", "<script src=mraid.js></script><img src=logo.svg>")
      try program.file("ad/logo.svg", #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#)
      try program.file("tmp/.keep", "")
      let page = try await Page(program, "ad/banner.html", before: "TMPDIR=\"$PWD/tmp\" ")
      let first = try await page.scene()
      try program.file("ad/logo.svg", #"<svg xmlns="http://www.w3.org/2000/svg" width="19" height="9"/>"#)
      let changed = try await page.scene(after: first.number)
      #expect(changed.changed == ["logo.svg"])
      page.running.signal(SIGTERM)
      for await _ in page.running.lines {}
      #expect(try await program.shell("ls tmp").output == "")
    }

    @Test func aStepThatFailsSaysWhatThereIs() async throws {
      try program.file("ad/index.html", "<button id=more>More</button>")
      let page = try await Page(program, "ad")
      let first = try await page.scene()
      #expect(try await page.send("POST", "steps", "tap: \"#mroe\"").0 == 204)
      let failed = try await page.scene(after: first.number)
      #expect(failed.failure != nil)
      #expect(failed.steps.first?.failure != nil && failed.steps.first?.candidates == ["#more"])
      let wrong = try await page.send("POST", "steps", "tapp: \"#more\"")
      #expect(wrong.0 == 400 && String(decoding: wrong.1, as: UTF8.self).contains("tapp"))
    }

    @Test func nobodyElseGetsIn() async throws {
      try program.file("ad/index.html", "<p>ad")
      let page = try await Page(program, "ad")
      let parts = try #require(URLComponents(string: page.address))
      let port = try #require(parts.port)
      let other = HTTPRequest(address: "http://127.0.0.1:\(port)/guess/scene")
      #expect(try await other.answer().status == 404)
      let foreign = HTTPRequest(
        method: "POST", address: page.address + "save", headers: ["Origin": "http://evil.example"])
      #expect(try await foreign.answer().status == 403)
      #expect(!program.has("ad/scenario.yaml"))
    }
  }
}
