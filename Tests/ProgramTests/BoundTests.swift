import Foundation
import Jobs
import Testing

extension ProgramTier {
  /// What creatives that fill memory and disk leave of a server: a verdict, a log of bounded size, and its own memory.
  @Suite(.timeLimit(.minutes(3))) struct BoundTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Pages that take whatever they get, each in another process.
    private static let family = [
      "calls": """
      <script src="mraid.js"></script><script>
      setInterval(() => { for (let i = 0; i < 20; i++) mraid.open('x'.repeat(1e6)) }, 1)</script>x
      """,
      "console": """
      <script>setInterval(() => { for (let i = 0; i < 50; i++) {
        console.log('x'.repeat(1e6)); Promise.reject('y'.repeat(1e6)) } }, 1)</script>x
      """,
      "requests": """
      <script>const address = '/no?' + 'x'.repeat(1e6);
      setInterval(() => { for (let i = 0; i < 20; i++) fetch(address + i).catch(() => {}) }, 4)</script>x
      """,
      "storage": """
      <script>indexedDB.open('hoard').onupgradeneeded = ({ target }) => {
        const base = target.result; base.createObjectStore('all', { autoIncrement: true });
        target.transaction.oncomplete = () => { const put = () => {
          const turn = base.transaction('all', 'readwrite');
          turn.objectStore('all').add(new Uint8Array(2e7).fill(7));
          turn.oncomplete = put; turn.onabort = () => setTimeout(put, 20) }; put() } }</script>x
      """,
      "blobs": """
      <script>const kept = []; setInterval(() => { for (let i = 0; i < 4; i++)
        kept.push(new Blob([new Uint8Array(5e6).fill(i + 1)])) }, 10)</script>x
      """,
    ]

    /// The most memory that a process has had so far, in mebibytes.
    private func peak(of process: Int32) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) / 1024
    }

    @Test(arguments: BoundTests.family.keys.sorted())
    func aServerStaysSmallWhateverACreativeTakes(name: String) async throws {
      let server = try await RunningServer(program, "--max-memory 512")
      let markup = try #require(Self.family[name])
      let render: [String: Any] = ["markup": markup, "timeout": 10, "watch": 6, "memory": 512, "checks": true]
      let hostile = try await server.render(render)
      #expect(hostile.json["status"] != nil)
      // Its own doing, or nothing that is wrong; never Galley's.
      let error = hostile.json["error"] as? [String: Any]
      #expect(error?["blame"] as? String != "engine", "\(hostile.text)")
      let logs = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { try await server.send("GET", "/v1/renders/\(hostile.id)/events").body.count }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(Set(logs).count == 1)
      #expect((logs.first ?? .max) <= 4 << 20)
      #expect(try peak(of: server.program.id) < 200)
      #expect(try await server.render(["markup": "<p>plain"]).renderStatus == "completed")
    }

    @Test func aCreativeThatFillsTheNetworkProcessIsToldSo() async throws {
      try program.file("hoard.html", try #require(Self.family["blobs"]))
      let outcome = try await program.render("hoard.html --json --memory 256 --timeout 20 --watch 15")
      let result = try #require(try outcome.document().results.first)
      #expect(result.code == "memory-limit")
      #expect(result.fault == .creative)
      #expect(outcome.code == 1)
    }

    @Test func aScreenOfTooManyPixelsIsRefused() async throws {
      let server = try await RunningServer(program, "--max-screen 10")
      let large = try await server.send("POST", "/v1/renders", ["markup": "x", "screen": "4096x2700"])
      #expect(large.status == 422)
      #expect(large.text.contains("12 megapixels; the most is 10"))
      let described = ["width": 2000, "height": 2000, "scale": 2]
      #expect(try await server.send("POST", "/v1/renders", ["markup": "x", "device": described]).status == 422)
      #expect(try await server.render(["markup": "x", "screen": "390x844@3"]).renderStatus == "completed")
    }
  }
}
