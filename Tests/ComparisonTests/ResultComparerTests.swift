import Core
import Foundation
import MRAID
import Pixels
import RenderModel
import TestFolders
import Testing

@testable import Comparison

@Suite struct ResultComparerTests {
  private let first: TestFolder
  private let second: TestFolder
  private let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())

  init() throws { (first, second) = (try TestFolder(), try TestFolder()) }

  private func compare(_ comparer: ResultComparer? = nil) async throws -> [ResultVerdict] {
    try await (comparer ?? self.comparer).compare(
      try ResultTree.results(below: first.path), try ResultTree.results(below: second.path))
  }

  @Test func aRenderIsComparedPictureByPictureAndEventByEvent() async throws {
    for (folder, side) in [(first, 0), (second, 5)] {
      try folder.screenshot("screenshots/001-default.png")
      try folder.screenshot("screenshots/002-expanded.png", side: side)
      try folder.log("events.ndjson", ["load", "settled"])
    }
    let results = try await compare()
    #expect(results.map(\.name) == [""])
    #expect(results[0].verdict == .different)
    #expect(results[0].pictures.map(\.verdict) == [.same, .different])
    #expect(results[0].pictures[1].difference?.differingCount == 25)
    #expect(results[0].events?.findings == [])
  }

  @Test func samePixelsWithAnotherOrderOfEventsAreDifferent() async throws {
    for (folder, events) in [(first, ["viewable", "open"]), (second, ["open", "viewable"])] {
      try folder.screenshot("screenshots/001-default.png")
      try folder.log("events.ndjson", events)
    }
    let result = try await compare()[0]
    #expect(result.pictures.map(\.verdict) == [.same])
    #expect(result.verdict == .different)
    #expect(result.events?.count(.moved) == 1)
    let pictures = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget(), comparesEvents: false)
    #expect(try await compare(pictures)[0].verdict == .same)
  }

  @Test func batchesArePairedByTheirPath() async throws {
    for name in ["banner/a", "banner/b"] { try first.screenshot("\(name)/screenshots/001-default.png") }
    for name in ["banner/b", "mraid/c"] { try second.screenshot("\(name)/screenshots/001-default.png") }
    let results = try await compare()
    #expect(results.map(\.name) == ["banner/a", "banner/b", "mraid/c"])
    #expect(results.map(\.verdict) == [.missing, .same, .new])
  }

  @Test func picturesOnOneSideOnlyAreMissingOrNew() async throws {
    for (folder, name) in [(first, "old"), (second, "young")] {
      try folder.screenshot("common.png")
      try folder.screenshot("\(name).png")
    }
    let pictures = try await compare()[0].pictures
    #expect(pictures.map(\.name) == ["common.png", "old.png", "young.png"])
    #expect(pictures.map(\.verdict) == [.same, .missing, .new])
  }

  @Test func abrokenPictureIsUnreadableAndTheOthersAreCompared() async throws {
    for folder in [first, second] {
      try folder.screenshot("a.png")
      try folder.write("b.png", Array("not a picture".utf8))
    }
    let result = try await compare()[0]
    #expect(result.pictures.map(\.verdict) == [.same, .unreadable])
    #expect(result.pictures[1].problem?.hasPrefix("not a readable PNG") == true)
    #expect(result.verdict == .different)
  }

  @Test func aBrokenLogIsAProblemThatNamesTheLine() async throws {
    try first.log("events.ndjson", ["a", "b"])
    try second.write(
      "events.ndjson", Array("{\"seq\":0,\"t\":0,\"source\":\"host\",\"name\":\"a\",\"detail\":{}}\n{}\n".utf8))
    let result = try await compare()[0]
    #expect(result.problems == ["\(second.path)/events.ndjson:2 isn't an event"])
    #expect(result.verdict == .different)
  }

  @Test func aLogOnOneSideOnlyIsAProblem() async throws {
    for folder in [first, second] { try folder.screenshot("screenshots/001-default.png") }
    try first.log("events.ndjson", ["a"])
    #expect(try await compare()[0].problems == ["only one side has an event log"])
  }

  @Test func anotherOutcomeIsADifference() async throws {
    func record(_ outcome: RenderRecord.Outcome, _ states: [MRAIDState]) -> RenderRecord {
      RenderRecord(
        creative: .init(path: "-"), device: .init(name: "d", width: 1, height: 1, scale: 1, renderScale: 1),
        outcome: outcome, states: states)
    }
    try first.write("result.json", Array(JSONEncoder().encode(record(.completed, [.default, .expanded]))))
    try second.write("result.json", Array(JSONEncoder().encode(record(.failed, [.default]))))
    let result = try await compare()[0]
    #expect(result.record.map(\.member) == ["outcome", "states"])
    #expect(result.record[1].first == "default → expanded")
    #expect(result.verdict == .different)
  }

  @Test func aFolderWithoutResultsIsRefused() throws {
    let fault = #expect(throws: Fault.self) { try ResultTree.results(below: first.path) }
    #expect(fault?.code == "diff-results-missing")
    #expect(fault?.origin == .request)
  }

  @Test func linksToFoldersArentFollowed() async throws {
    try first.screenshot("a/001.png")
    try FileManager.default.createSymbolicLink(atPath: first.path + "/a/again", withDestinationPath: first.path)
    #expect(try ResultTree.results(below: first.path).map(\.name) == ["a"])
  }

  @Test func eachDifferenceIsSeenWithItsPixelsWhichAreForgottenAfterwards() async throws {
    for (folder, side) in [(first, 0), (second, 3)] {
      try folder.screenshot("ad/a.png")
      try folder.screenshot("ad/b.png", side: side)
    }
    let visiting = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget()) {
      (screenshot, result) throws(Fault) in
      screenshot.written["seen"] = "\(result) \(screenshot.name) \(screenshot.difference?.differing.count ?? 0)"
    }
    let pictures = try await compare(visiting)[0].pictures
    #expect(pictures.map(\.written) == [[:], ["seen": "ad b.png 9"]])
    #expect(pictures[1].difference?.differingCount == 9)
    #expect(pictures[1].difference?.differing.count == 0)
  }
}

@Suite struct DiffPageTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func page(
    _ first: String = "before", results: [ResultVerdict], limit: Int = 1 << 20
  ) throws -> String {
    var text = ""
    try DiffPage(first: first, second: "after", results: results, limit: limit).write { text += $0 }
    return text
  }

  private func result(_ name: String, pictures: [ScreenshotVerdict] = [], events: EventComparison? = nil)
    -> ResultVerdict
  {
    var result = ResultVerdict(name: name)
    (result.pictures, result.events) = (pictures, events)
    return result
  }

  private func screenshot(_ name: String) throws -> ScreenshotVerdict {
    try folder.screenshot("a/x.png")
    try folder.screenshot("b/x.png", side: 4)
    return ScreenshotVerdict(
      name: name, verdict: .different, first: folder.path + "/a/x.png", second: folder.path + "/b/x.png")
  }

  @Test func showsBothSidesOfAPictureThatDiffers() throws {
    let text = try page(results: [result("ad", pictures: [screenshot("001-default.png")])])
    #expect(text.components(separatedBy: "src=\"data:image/png;base64,").count == 3)
    #expect(text.contains("<h3>001-default.png</h3>"))
  }

  @Test func callsBothSidesAsItIsTold() throws {
    var text = ""
    let page = DiffPage(
      first: "kept", second: "out", results: [result("ad", pictures: [try screenshot("x.png")])],
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
    let same = ScreenshotVerdict(name: "x.png", verdict: .same, first: "/no", second: "/no")
    let text = try page(results: [result("one", pictures: [same]), result("two", pictures: [screenshot("y.png")])])
    #expect(!text.contains("x.png"))
    #expect(text.contains("1 of 2 results differ"))
    #expect(text.contains("<summary>1 the same</summary><ul><li>one</li></ul>"))
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'&</title>"])
  func namesOfAnybodysAreText(_ name: String) throws {
    let finding = EventComparison([], [Event(seq: 0, t: 0, source: .page, name: name, detail: ["text": .string(name)])])
    var named = result(name, pictures: [try screenshot(name)], events: finding)
    named.problems = [name]
    named.record = [.init(member: "states", first: name, second: name)]
    let text = try page(name, results: [named])
    #expect(!text.contains(name))
    #expect(text.components(separatedBy: "<script>").count == 2, "the page's own")
    #expect(text.components(separatedBy: "<img ").count == 3, "the two pictures")
  }

  @Test func whatTurnsTheReadingDirectionIsWrittenOut() {
    #expect(DiffPage.text("a\u{202E}b\u{7}\nc\u{200B}") == "a\\u{202e}b\\u{7}\\u{a}c\\u{200b}")
    #expect(DiffPage.text("größe → 👍") == "größe → 👍")
    #expect(MarkupText.html("##vso[x]b #1") == "#&#35;vso[x]b #1", "no command in a build server's log")
  }

  @Test func nothingButThePagesOwnScriptAndSheetMayRun() throws {
    let text = try page(results: [result("ad", pictures: [screenshot("x.png")])])
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
    let pictures = [try screenshot("x.png"), try screenshot("y.png")]
    let text = try page(results: [result("ad", pictures: pictures)], limit: 200)
    #expect(text.components(separatedBy: "<img ").count < 5)
    #expect(text.contains("isn't shown"))
  }

  @Test func aFileThatIsNoPictureIsNotEmbedded() throws {
    try folder.write("c.png", Array("<svg onload=alert(1)>".utf8))
    let path = folder.path + "/c.png"
    let text = try page(results: [
      result("ad", pictures: [ScreenshotVerdict(name: "c.png", verdict: .new, first: nil, second: path)])
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

extension TestFolder {
  /// Writes a white picture with a black square of `side` pixels in its corner.
  func screenshot(_ name: String, side: Int = 0, width: Int = 40, height: Int = 30) throws {
    var bitmap = Bitmap(width: width, height: height, fill: .white)
    bitmap.fill(PixelRect(x: 0, y: 0, width: side, height: side), .black)
    try write(name, PNGEncoder.encode(bitmap))
  }

  /// Writes an event log of host events with these names.
  func log(_ name: String, _ events: [String]) throws {
    let lines = try events.enumerated().map { index, event in
      try JSONEncoder().encode(Event(seq: index, t: Double.random(in: 0...9), source: .host, name: event))
    }
    try write(name, lines.flatMap { Array($0) + [10] })
  }
}
