import Core
import Foundation
import Pixels
import RenderModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct DiffTests {
  private let program: GalleyProgram

  init() throws {
    program = try GalleyProgram()
    try screenshot("white.png")
    try screenshot("again.png")
    try screenshot("dot.png", side: 4)
    try screenshot("wide.png", width: 50)
    try program.file("page.html")
    for (name, events) in [("before", ["viewable", "open"]), ("after", ["open", "viewable"])] {
      try screenshot("\(name)/ad/screenshots/001-default.png")
      let lines = try events.enumerated().map { index, event in
        String(
          decoding: try JSONEncoder().encode(Event(seq: index, t: Double(index), source: .host, name: event)),
          as: UTF8.self) + "\n"
      }
      try program.file("\(name)/ad/events.ndjson", lines.joined())
    }
  }

  /// Writes a white picture with a black square in the middle.
  private func screenshot(_ name: String, side: Int = 0, width: Int = 40) throws {
    var bitmap = Bitmap(width: width, height: 30, fill: .white)
    bitmap.fill(PixelRect(x: 10, y: 10, width: side, height: side), .black)
    let path = try program.file(name, "")
    try PNGEncoder.write(bitmap, to: path)
  }

  @Test(arguments: [
    ("white.png again.png", 0), ("white.png dot.png", 1), ("white.png wide.png", 1), ("before before", 0),
    ("before after", 1), ("before after --screenshots-only", 0), ("before after/ad", 1),
    ("white.png dot.png --max-pixels 16", 0), ("white.png dot.png --max-pixels 15", 1),
    ("white.png dot.png --max-ratio 0.02", 0), ("white.png dot.png --max-ratio 0.01", 1),
    ("white.png dot.png --max-density 9 --window 3", 0), ("white.png dot.png --max-density 8 --window 3", 1),
    ("white.png dot.png --ignore 10,10,4,4", 0), ("white.png dot.png --ignore 10,10,4,3", 1),
    ("white.png", 2), ("white.png nowhere.png", 2), ("white.png page.html", 2), ("white.png before", 2),
    ("before white.png", 2), ("white.png dot.png --threshold 2", 2), ("white.png dot.png --ignore 1,2,3", 2),
    ("white.png dot.png --shift 17", 2), ("white.png dot.png --metric rgb", 2), ("before white.png --out x", 2),
  ])
  func exitsByWhatDiffers(arguments: String, code: Int32) async throws {
    #expect(try await program.run("diff \(arguments)").code == code)
  }

  @Test func tellsWhereAndHowMuchDiffers() async throws {
    let outcome = try await program.run("diff white.png dot.png")
    #expect(outcome.output == "dot.png  different  16 pixels (1.33 %), 1 region in 4×4 at 10,10\n")
    #expect(outcome.errors == "")
  }

  @Test func tellsThatAnEventNowComesBeforeAnother() async throws {
    let outcome = try await program.run("diff before after")
    #expect(
      outcome.output == """
        ad  different
          001-default.png  same
          2 events  different  1 moved
            host/viewable now comes after host/open

        """)
  }

  @Test func quietTellsDifferencesOnly() async throws {
    #expect(try await program.run("diff -q white.png again.png").output == "")
    let outcome = try await program.run("diff -q before after")
    #expect(!outcome.output.contains("001-default"))
    #expect(outcome.output.contains("now comes after"))
  }

  @Test func writesPicturesOfWhatDiffersOnly() async throws {
    try screenshot("before/ad/screenshots/002-expanded.png")
    try screenshot("after/ad/screenshots/002-expanded.png", side: 3)
    let outcome = try await program.run("diff before after --out shown")
    #expect(outcome.code == 1)
    #expect(outcome.output.hasSuffix("images: shown\n"))
    let files = try FileManager.default.contentsOfDirectory(atPath: program.folder + "/shown/ad").sorted()
    #expect(files == ["002-expanded.beside.png", "002-expanded.blink.png", "002-expanded.highlight.png"])
    let highlight = try PNGDecoder.read(path: program.folder + "/shown/ad/002-expanded.highlight.png")
    #expect(highlight.pixels.count { $0 == 0xFFFF_0000 } == 9)
  }

  @Test func printsOneDocument() async throws {
    let outcome = try await program.run("diff --json white.png dot.png --max-density 1 --out shown")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))
    #expect(document["exitCode"] == 1)
    #expect(document["verdict"] == "different")
    let screenshot = document["results"]?[0]?["screenshots"]?[0]
    #expect(screenshot?["difference"]?["differing"] == 16)
    #expect(screenshot?["difference"]?["densest"]?["differing"] == 16)
    #expect(screenshot?["written"]?["blink"] == "shown/dot.blink.png")
  }
}
