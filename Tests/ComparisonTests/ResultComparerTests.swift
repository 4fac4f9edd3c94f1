import Comparison
import Foundation
import Jobs
import MRAID
import Pixels
import Testing

@Suite struct ResultComparerTests {
  private let first: Folder
  private let second: Folder
  private let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())

  init() throws { (first, second) = (try Folder(), try Folder()) }

  private func compare(_ comparer: ResultComparer? = nil) async throws -> [ResultVerdict] {
    try await (comparer ?? self.comparer).compare(
      try ResultTree.results(below: first.path), try ResultTree.results(below: second.path))
  }

  @Test func aRenderIsComparedPictureByPictureAndEventByEvent() async throws {
    for (folder, side) in [(first, 0), (second, 5)] {
      try folder.picture("screenshots/001-default.png")
      try folder.picture("screenshots/002-expanded.png", side: side)
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
      try folder.picture("screenshots/001-default.png")
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
    for name in ["banner/a", "banner/b"] { try first.picture("\(name)/screenshots/001-default.png") }
    for name in ["banner/b", "mraid/c"] { try second.picture("\(name)/screenshots/001-default.png") }
    let results = try await compare()
    #expect(results.map(\.name) == ["banner/a", "banner/b", "mraid/c"])
    #expect(results.map(\.verdict) == [.missing, .same, .new])
  }

  @Test func picturesOnOneSideOnlyAreMissingOrNew() async throws {
    for (folder, name) in [(first, "old"), (second, "young")] {
      try folder.picture("common.png")
      try folder.picture("\(name).png")
    }
    let pictures = try await compare()[0].pictures
    #expect(pictures.map(\.name) == ["common.png", "old.png", "young.png"])
    #expect(pictures.map(\.verdict) == [.same, .missing, .new])
  }

  @Test func abrokenPictureIsUnreadableAndTheOthersAreCompared() async throws {
    for folder in [first, second] {
      try folder.picture("a.png")
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
    #expect(result.problems == ["\(second.path)/events.ndjson:2 is no event"])
    #expect(result.verdict == .different)
  }

  @Test func aLogOnOneSideOnlyIsAProblem() async throws {
    for folder in [first, second] { try folder.picture("screenshots/001-default.png") }
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
    #expect(fault?.code == "diff-no-results")
    #expect(fault?.blame == .request)
  }

  @Test func linksToFoldersArentFollowed() async throws {
    try first.picture("a/001.png")
    try FileManager.default.createSymbolicLink(atPath: first.path + "/a/again", withDestinationPath: first.path)
    #expect(try ResultTree.results(below: first.path).map(\.name) == ["a"])
  }

  @Test func eachDifferenceIsSeenWithItsPixelsWhichAreForgottenAfterwards() async throws {
    for (folder, side) in [(first, 0), (second, 3)] {
      try folder.picture("ad/a.png")
      try folder.picture("ad/b.png", side: side)
    }
    let visiting = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget()) {
      (picture, result) throws(Fault) in
      picture.written["seen"] = "\(result) \(picture.name) \(picture.difference?.differing.count ?? 0)"
    }
    let pictures = try await compare(visiting)[0].pictures
    #expect(pictures.map(\.written) == [[:], ["seen": "ad b.png 9"]])
    #expect(pictures[1].difference?.differingCount == 9)
    #expect(pictures[1].difference?.differing.count == 0)
  }
}
