import Foundation
import Testing

extension ServerTier {
  /// Local page of `galley show`.
  @Suite("Shown results", .timeLimit(.minutes(3)))
  struct ShowTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Returns the page of a folder or file; the server ends with the call.
    private func page(_ words: String) async throws -> (html: String, policy: String, address: String) {
      let running = try program.start("exec \"$GALLEY\" show \(words)")
      defer { running.stop() }
      let address = try await running.address()
      let answer = try await HTTPRequest(address: address).answer()
      #expect(answer.status == 200)
      let policy = answer.headers["content-security-policy"] ?? ""
      let guess = try #require(URL(string: "/guess/", relativeTo: URL(string: address)))
      #expect(try await HTTPRequest(address: guess.absoluteString).answer().status == 404)
      return (String(decoding: answer.body, as: UTF8.self), policy, address)
    }

    @Test("what render left is shown with all its pictures, wherever it lies below the folder")
    func rendered() async throws {
      try program.file("ads/deep er/one ad.html", "<p>one")
      try program.file("ads/two/index.html", "<p>two")
      #expect(try await program.render("ads --recursive").code == 0)
      let shown = try await page("out")
      #expect(shown.address.hasPrefix("http://127.0.0.1:"))
      #expect(shown.html.contains("2 creatives rendered") && shown.html.contains("one ad"))
      #expect(shown.html.contains("data:image/png") && !shown.html.contains(">passed<"))
      #expect(shown.policy.contains("default-src 'none'") && shown.policy.contains("frame-ancestors 'none'"))
      // One of them alone, with a slash at its end.
      #expect(try await page("out/two/").html.contains("1 creative rendered"))
    }

    @Test("what check left is shown with its verdicts, and so is a page that was written")
    func checked() async throws {
      try program.file("ad.html", "<title>ad</title><p>ad")
      let checked = try await program.shell(
        "exec \"$GALLEY\" check ad.html --out out --html pages/report.html --idle-time 0.2 --measure-time 0.3")
      #expect(checked.code < 2)
      for words in ["out", "pages/report.html", "pages"] {
        #expect(try await page(words).html.contains("class=\"verdict"), "\(words)")
      }
    }

    @Test(
      "what is no result is refused in a line",
      arguments: [
        ("nowhere", "report-missing"), ("empty", "result-folder-missing"), ("ad.html", "report-unreadable"),
        ("empty --port 70000", "--port"),
      ])
    func refused(words: String, told: String) async throws {
      try program.file("empty/note.txt")
      try program.file("ad.html", "<!DOCTYPE html><html><head><title>Galley: ad</title></head><p>ad")
      let outcome = try await program.shell("exec \"$GALLEY\" show \(words)")
      #expect(outcome.code == 2 && outcome.errors.contains(told), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }
}
