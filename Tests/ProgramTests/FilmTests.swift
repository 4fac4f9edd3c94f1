import Core
import Foundation
import Pixels
import Testing

extension ProgramTier {
  @Suite("Films of ads", .timeLimit(.minutes(5)))
  struct FilmTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Page whose every drawn frame is different: a bar as wide as the number of frames so far.
    private static let counting = """
      <meta name="ad.size" content="width=61,height=40"><style>body{margin:0;background:#024}</style>
      <div id="bar" style="height:20px;background:#fc0;width:0"></div>
      <script>
        let frame = 0;
        const draw = () => {
          document.getElementById("bar").style.width = `${frame++ % 61}px`;
          requestAnimationFrame(draw);
        };
        requestAnimationFrame(draw);
      </script>
      """

    private func film(_ words: String) async throws -> Program.Outcome {
      try await program.shell("exec \"$GALLEY\" film \(words)")
    }

    private func bytes(_ file: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: "\(program.folder)/\(file)")))
    }

    /// Returns the number in the bytes after a word that occurs only once.
    private func number(after word: String, in file: [UInt8]) throws -> Int {
      let range = try #require(Data(file).range(of: Data(word.utf8)))
      return file[range.upperBound..<range.upperBound + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("each frame of an ad that always moves is there, once, and the same the next time")
    func everyFrame() async throws {
      try program.file("ad.html", Self.counting)
      for run in ["a", "b"] {
        let outcome = try await film("ad.html -o \(run).png -o \(run).gif -o \(run).webp --length 1 --scale 1")
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
      for ending in ["png", "gif", "webp"] { #expect(try bytes("a.\(ending)") == bytes("b.\(ending)")) }
      let animation = try bytes("a.png")
      #expect(try number(after: "acTL", in: animation) == 30)
      #expect(try PNGDecoder.decode(animation).width == 61)
      // At sixty a second twice as many.
      #expect(try await film("ad.html -o fast.apng --length 1 --rate 60").code == 0)
      #expect(try number(after: "acTL", in: bytes("fast.apng")) == 60)
    }

    @Test("an ad that stands still is one frame for all the time")
    func still() async throws {
      try program.file("ad.html", "<meta name=\"ad.size\" content=\"width=60,height=40\"><p>ad</p>")
      #expect(try await film("ad.html -o a.apng --length 2").code == 0)
      #expect(try number(after: "acTL", in: bytes("a.apng")) == 1)
    }

    @Test("a scenario is filmed with pauses, and one that fails leaves the film of it")
    func states() async throws {
      try program.file(
        "ad/index.html",
        """
        <meta name="ad.size" content="width=320,height=50"><script src="mraid.js"></script>
        <div id="open" style="width:320px;height:50px;background:#246">open</div>
        <script>document.getElementById("open").onclick = () => mraid.expand();</script>
        """)
      try program.file("ad/scenario.yaml", "- tap: \"#open\"\n- wait: {state: expanded}\n")
      #expect(try await film("ad --states -o good.apng").code == 0)
      let good = try bytes("good.apng")
      // At first, a tap that fades, and the expanded ad.
      #expect(try number(after: "acTL", in: good) > 3)
      #expect(try PNGDecoder.decode(good).width == 393)
      try program.file("ad/scenario.yaml", "- tap: \"#nothere\"\n")
      let failed = try await film("ad --states -o bad.apng")
      #expect(failed.code == 1 && failed.errors.contains("#nothere"))
      #expect(program.has("bad.apng"))
    }

    @Test(
      "what can't be filmed is refused in a line",
      arguments: [
        ("ad.html -o a.avi", "has no extension of a video"), ("ad.html -o a.gif --length 500", "--length"),
        ("ad.html -o a.gif --scale 2", "film-scale-invalid"), ("ad.html -o a.gif --clock real", "--clock virtual"),
        ("ad.html -o a.gif --states", "film-scenario-missing"), ("missing.html -o a.gif", "file-missing"),
        ("ad.html -o /proc/nowhere/a.gif --length 0.1", "output-unwritable"),
      ])
    func refused(words: String, told: String) async throws {
      try program.file("ad.html")
      let outcome = try await film(words)
      #expect(outcome.code == 2 && outcome.errors.contains(told), "\(outcome.errors)")
      #expect(!program.has("a.gif"))
    }

    @Test("an encoder that isn't installed is told with its package")
    func missingEncoder() async throws {
      try program.file("ad.html")
      // Written by the shell: of a file that this process wrote, a program that another test starts just then may still
      // have a copy that is open, and then the system runs it for nobody.
      let outcome = try await program.shell(
        #"""
        mkdir bin; printf '#!/bin/sh\nexit 1\n' >bin/gst-inspect-1.0; chmod +x bin/*
        PATH="$PWD/bin:$PATH" exec "$GALLEY" film ad.html -o a.mp4 --length 0.2
        """#)
      #expect(outcome.code == 3)
      #expect(outcome.errors.contains("install gstreamer1.0-plugins-base"), "\(outcome.errors)")
    }

    @Test("an encoder that can't be started isn't told as one that isn't installed")
    func encoderThatCantBeStarted() async throws {
      try program.file("ad.html")
      let outcome = try await program.shell(
        "mkdir -p bin/gst-inspect-1.0; PATH=\"$PWD/bin\" exec \"$GALLEY\" film ad.html -o a.mp4 --length 0.2")
      #expect(outcome.code == 3)
      #expect(
        outcome.errors.contains("can't start gst-inspect-1.0: permission denied [film-failed]"),
        "\(outcome.errors)")
    }
  }
}
