import Foundation
import Jobs
import MRAID
import Testing

@testable import Workers

@Suite struct ResultTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  @Test func removesEarlierResultsAndNothingElse() throws {
    let folder = ResultFolder(scratch.path)
    try FileManager.default.createDirectory(atPath: folder.screenshots, withIntermediateDirectories: true)
    for file in [folder.screenshots + "/001-default.png", folder.events, folder.result, scratch.path + "/notes.txt"] {
      try Data().write(to: URL(filePath: file))
    }
    try folder.prepare()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["notes.txt"])
  }

  @Test func refusesAFolderThatCantBe() throws {
    let file = scratch.path + "/file"
    try Data().write(to: URL(filePath: file))
    #expect(throws: Fault.self) { try ResultFolder(file + "/below").prepare() }
    #expect(throws: Fault.self) { try ResultFolder("/proc/galley").prepare() }
  }

  @Test func readsStatesAndPicturesFromABrokenLog() throws {
    let log = """
      {"seq":0,"t":1,"source":"page","name":"load","detail":{}}
      {"seq":1,"t":2,"source":"mraid","name":"stateChange","detail":{"arguments":["default"]}}
      {"seq":2,"t":3,"source":"mraid","name":"stateChange","detail":{"arguments":["expanded"]}}
      {"seq":3,"t":4,"source":"mraid","name":"stateChange","detail":{"arguments":["expanded"],"part":"two"}}
      {"seq":4,"t":5,"source":"host","name":"screenshot","detail":{"name":"002-expanded"}}
      {"seq":5,"t":6,"source":"host","name":"screenshot","detail":{"name":"003-lost"}}
      {"seq":6,"t":4,"sour
      """
    try Data(log.utf8).write(to: URL(filePath: ResultFolder(scratch.path).events))
    let folder = ResultFolder(scratch.path)
    try FileManager.default.createDirectory(atPath: folder.screenshots, withIntermediateDirectories: true)
    let picture: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 4, 146, 0, 0, 9, 228]
    try Data(picture).write(to: URL(filePath: folder.screenshots + "/002-expanded.png"))
    let record = InterruptedRecord(
      job: .fake(0, "ad", output: scratch.path), outcome: .timedOut, fault: .deadline("deadline-exceeded", "late"),
      attempts: 1
    ).record()
    #expect(record.states == [.default, .expanded])
    #expect(record.screenshots.map(\.name) == ["002-expanded"])
    #expect(record.screenshots.map(\.state) == [.expanded])
    #expect(record.screenshots.map(\.width) == [1170])
    #expect(record.screenshots.map(\.height) == [2532])
    #expect(record.eventCount == 6)
    #expect(record.code == "deadline-exceeded")
  }

  @Test func makesARecordWithoutALog() {
    let record = InterruptedRecord(
      job: .fake(0, "ad"), outcome: .crashed, fault: .engine("worker-died", "gone"), attempts: 3
    ).record()
    #expect(record.states.isEmpty)
    #expect(record.attempts == 3)
  }
}
