import Digests
import Foundation
import Jobs
import MRAID
import Pixels
import Testing

@testable import Comparison

@Suite struct DiffPageTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func page(
    _ first: String = "before", results: [ResultVerdict], limit: Int = 1 << 20
  ) throws -> String {
    var text = ""
    try DiffPage(first: first, second: "after", results: results, limit: limit).write { text += $0 }
    return text
  }

  private func result(_ name: String, pictures: [PictureVerdict] = [], events: EventComparison? = nil) -> ResultVerdict
  {
    var result = ResultVerdict(name: name)
    (result.pictures, result.events) = (pictures, events)
    return result
  }

  private func picture(_ name: String) throws -> PictureVerdict {
    try folder.picture("a/x.png")
    try folder.picture("b/x.png", side: 4)
    return PictureVerdict(
      name: name, verdict: .different, first: folder.path + "/a/x.png", second: folder.path + "/b/x.png")
  }

  @Test func showsBothSidesOfAPictureThatDiffers() throws {
    let text = try page(results: [result("ad", pictures: [picture("001-default.png")])])
    #expect(text.components(separatedBy: "src=\"data:image/png;base64,").count == 3)
    #expect(text.contains("<h3>001-default.png</h3>"))
  }

  @Test func callsBothSidesAsItIsTold() throws {
    var text = ""
    let page = DiffPage(
      first: "kept", second: "out", results: [result("ad", pictures: [try picture("x.png")])],
      sides: PageSides(first: "<baseline>", second: "new"))
    try page.write { text += $0 }
    #expect(text.contains("<p>&lt;baseline&gt;: <bdi>kept</bdi></p>"))
    #expect(text.contains("<figcaption>&lt;baseline&gt;</figcaption>"))
    #expect(text.contains("<figcaption>new</figcaption>"))
    #expect(text.contains("alt=\"x.png, new\""))
  }

  @Test func namesListsThatHoldSomething() throws {
    var text = ""
    let lists = [PageList("Gone", []), PageList("New", ["<b>", "two"])]
    try DiffPage(first: "a", second: "b", results: [], lists: lists).write { text += $0 }
    #expect(text.contains("<h2>New: 2</h2>"))
    #expect(text.contains("<li>&lt;b&gt;</li>\n<li>two</li>"))
    #expect(!text.contains("Gone"))
  }

  @Test func leavesWhatIsTheSameToAList() throws {
    let same = PictureVerdict(name: "x.png", verdict: .same, first: "/no", second: "/no")
    let text = try page(results: [result("one", pictures: [same]), result("two", pictures: [picture("y.png")])])
    #expect(!text.contains("x.png"))
    #expect(text.contains("1 of 2 results differ"))
    #expect(text.contains("<summary>1 the same</summary><ul><li>one</li></ul>"))
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'&</title>"])
  func namesOfAnybodysAreText(_ name: String) throws {
    let finding = EventComparison([], [Event(seq: 0, t: 0, source: .page, name: name, detail: ["text": .string(name)])])
    var named = result(name, pictures: [try picture(name)], events: finding)
    named.problems = [name]
    named.record = [.init(member: "states", first: name, second: name)]
    let text = try page(name, results: [named])
    #expect(!text.contains(name))
    #expect(text.components(separatedBy: "<script>").count == 2, "the page's own")
    #expect(text.components(separatedBy: "<img ").count == 3, "the two pictures")
  }

  @Test func whatTurnsTheReadingDirectionIsWrittenOut() {
    #expect(HTMLText.escape("a\u{202E}b\u{7}\nc\u{200B}") == "a\\u{202e}b\\u{7}\\u{a}c\\u{200b}")
    #expect(HTMLText.escape("größe → 👍") == "größe → 👍")
  }

  @Test func nothingButThePagesOwnScriptAndSheetMayRun() throws {
    let text = try page(results: [result("ad", pictures: [picture("x.png")])])
    for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
      let start = try #require(text.range(of: "<\(tag)>")).upperBound
      let end = try #require(text.range(of: "</\(tag)>")).lowerBound
      let hash = Data(SHA256.of(String(text[start..<end])).bytes).base64EncodedString()
      #expect(text.contains("\(directive) 'sha256-\(hash)'"))
    }
    #expect(text.contains("default-src 'none'; img-src data:;"))
    #expect(!text.contains("http://") && !text.contains("https://") && !text.contains("style="))
  }

  @Test func picturesBeyondTheLimitAreOnlyNamed() throws {
    let pictures = [try picture("x.png"), try picture("y.png")]
    let text = try page(results: [result("ad", pictures: pictures)], limit: 200)
    #expect(text.components(separatedBy: "<img ").count < 5)
    #expect(text.contains("isn't shown here"))
  }

  @Test func aFileThatIsNoPictureIsNotEmbedded() throws {
    try folder.write("c.png", Array("<svg onload=alert(1)>".utf8))
    let path = folder.path + "/c.png"
    let text = try page(results: [
      result("ad", pictures: [PictureVerdict(name: "c.png", verdict: .new, first: nil, second: path)])
    ])
    #expect(!text.contains("base64"))
  }

  @Test func tellsWhatTheLogsSayDifferently() throws {
    let (load, open) = (
      Event(seq: 0, t: 0, source: .host, name: "load"), Event(seq: 1, t: 1, source: .host, name: "open")
    )
    let text = try page(results: [result("ad", events: EventComparison([load], [load, open]))])
    #expect(text.contains("<li class=\"added\">added host/open</li>"))
    #expect(text.contains("1 → 2 events, 1 added"))
  }
}
