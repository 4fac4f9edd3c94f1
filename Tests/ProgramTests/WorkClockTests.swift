import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Work of the engine beside a page in virtual time.
  @Suite(.timeLimit(.minutes(2))) struct WorkClockTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Lets the engine's own threads decode, compile, sign and mix; each takes real time.
    @Test func whatIsDoneBesideAPageTakesNoneOfItsTime() async throws {
      try program.file("ad/index.html", Self.work)
      let outcome = try await program.play(
        """
        - wait: {seconds: 12}
        - expect:
            evaluate:
              "JSON.stringify(failed)": "{}"
              "Object.keys(took).length": 9
              "JSON.stringify(Object.entries(took).filter(([, time]) => time > 40))": "[]"
        """)
      let record = try #require(try outcome.document().results.first)
      #expect(record.message == nil)
      #expect(record.nondeterminism == nil)
    }

    private static let work = """
      <!doctype html><meta name="ad.size" content="width=320,height=250"><body><script>
        const leb = (number) => number < 128 ? [number] : [number & 127 | 128, ...leb(number >> 7)];
        // A module with so many functions, each of them long.
        const assembly = (count) => {
          const one = [0, ...Array(300).fill([0x20, 0, 0x41, 7, 0x6a, 0x21, 0]).flat(), 0x20, 0, 0x0b];
          const code = [...leb(one.length), ...one], size = leb(count);
          const types = [1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f];
          const kinds = [3, ...leb(size.length + count), ...size, ...Array(count).fill(0)];
          const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...kinds];
          const start = [...head, 10, ...leb(size.length + code.length * count), ...size];
          const bytes = new Uint8Array(start.length + code.length * count);
          bytes.set(start);
          for (let i = 0; i < count; i++) bytes.set(code, start.length + i * code.length);
          return bytes;
        };
        const wave = (seconds) => {
          const [count, bytes] = [44100 * seconds, new ArrayBuffer(44 + 88200 * seconds)], view = new DataView(bytes);
          const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
          text(0, "RIFF"), view.setUint32(4, 36 + count * 2, true), text(8, "WAVEfmt "), view.setUint32(16, 16, true);
          view.setUint16(20, 1, true), view.setUint16(22, 1, true), view.setUint32(24, 44100, true);
          view.setUint32(28, 88200, true), view.setUint16(32, 2, true), view.setUint16(34, 16, true);
          text(36, "data"), view.setUint32(40, count * 2, true);
          return bytes;
        };
        const canvas = Object.assign(document.createElement("canvas"), { width: 2000, height: 2000 });
        const context = canvas.getContext("2d");
        for (let i = 0; i < 2000; i++) {
          context.fillStyle = `hsl(${i}, 50%, 50%)`;
          context.fillRect(i * 613 % 1900, i * 331 % 1900, 100, 100);
        }
        const picture = canvas.toDataURL("image/jpeg");
        const inWorker = (script, message) => new Promise((done, fail) => {
          const worker = new Worker(URL.createObjectURL(new Blob([script])));
          worker.onmessage = done;
          worker.onerror = fail;
          worker.postMessage(message);
        });
        const tasks = {
          digest: () => crypto.subtle.digest("SHA-512", new Uint8Array(3e7)),
          key: async () => {
            const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "PBKDF2", false, ["deriveBits"]);
            await crypto.subtle.deriveBits({ name: "PBKDF2", salt: new Uint8Array(16), iterations: 2e5, hash: "SHA-256" }, key, 256);
          },
          decode: () => Object.assign(new Image(), { src: picture }).decode(),
          address: async () => createImageBitmap(await (await fetch(picture)).blob()),
          compile: () => WebAssembly.compile(assembly(2000)),
          instantiate: () => WebAssembly.instantiate(assembly(3000)),
          mix: () => new OfflineAudioContext(2, 44100 * 60, 44100).startRendering(),
          sound: () => new OfflineAudioContext(1, 1, 44100).decodeAudioData(wave(20)),
          worker: () => inWorker("onmessage = ({ data }) => WebAssembly.compile(data).then(() => postMessage(1))", assembly(1500)),
        };
        const [took, failed] = [{}, {}];
        setTimeout(async () => {
          for (const name in tasks) {
            const began = performance.now();
            await tasks[name]().catch((error) => failed[name] = `${error}`);
            took[name] = performance.now() - began;
            await new Promise((done) => setTimeout(done, 100));
          }
        }, 500);
      </script>
      """
  }
}

extension ProgramTier {
  /// Samples that measure time in the ways of animation libraries, in virtual time.
  @Suite(.timeLimit(.minutes(1))) struct LibraryClockTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Creatives/libraries").path()

    /// Expected messages of each sample within five seconds, with the second of its animation.
    private static let marks: [String: [(second: Double, name: String)]] = [
      "ticker": [(1, "headline"), (1.3, "flake"), (1.55, "flake"), (1.8, "flake"), (2.05, "flake")],
      "timeout-ticker": (1...4).map { (Double($0), "second \($0)") },
      "visible": [(2, "turn 1"), (4, "turn 2")],
      "carousel": [
        (0.6, "slide"), (1.3, "slid"), (1.9, "slide"), (2.6, "slid"), (3.2, "slide"), (3.9, "slid"), (4.5, "slide"),
      ],
      "svg-frames": [(3, "loop")],
    ]

    @Test func eachWayOfTellingTheTimeTellsTheSame() async throws {
      let outcome = try await program.render("'\(Self.folder)'/* --at 4.9 --json --timeout 60")
      #expect(try outcome.document().results.map(\.outcome) == .init(repeating: .completed, count: Self.marks.count))
      for (name, expected) in Self.marks {
        let told = try marks(of: name)
        #expect(told.map(\.name) == expected.map(\.name), "\(name)")
        for (mark, due) in zip(told, expected) {
          // Two frames: one that the motion begins with, and one that the instant waits for; a ticker's own are longer.
          let frame = name == "timeout-ticker" ? 1.0 / 24 : 1.0 / 60
          #expect((-0.002...2 * frame).contains(mark.second - due.second), "\(name): \(mark.name) at \(mark.second) s")
        }
      }
    }

    private func marks(of name: String) throws -> [(second: Double, name: String)] {
      let log = try String(contentsOfFile: "\(program.folder)/out/\(name)/events.ndjson", encoding: .utf8)
      let events = try log.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
      return events.compactMap { event in
        guard event.name == "console", case .string(let text)? = event.detail["text"] else { return nil }
        let words = text.split(separator: " ", maxSplits: 2)
        return words.first == "mark" ? Double(words[1]).map { ($0, String(words[2])) } : nil
      }
    }
  }
}

extension ProgramTier {
  /// Time for which an ad is left alone before its render ends.
  @Suite("Watching", .timeLimit(.minutes(2))) struct WatchTests {
    private let program: Program

    init() throws {
      program = try Program()
      for (name, delay) in [("slide", 1_500), ("late", 20_000)] {
        try program.file("\(name).html", "<p>ad</p><script>setTimeout(() => console.log('late'), \(delay))</script>")
      }
    }

    @Test(
      "an ad that never speaks to the bridge is watched for as long as asked, else to its end frame and no longer",
      arguments: [
        ("late --idle-time 21", true), ("late", false), ("slide --idle-time 3 --clock real", true), ("slide", true),
      ])
    func plainAds(words: String, isLate: Bool) async throws {
      let name = words.prefix { $0 != " " }
      #expect(try await program.render("\(name).html \(words.dropFirst(name.count))").code == 0)
      let log = try String(contentsOfFile: "\(program.folder)/out/\(name)/events.ndjson", encoding: .utf8)
      #expect(log.contains(#""text":"late""#) == isLate)
    }
  }
}
