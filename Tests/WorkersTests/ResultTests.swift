import Core
import Foundation
import MRAID
import RenderModel
import TestFolders
import Testing

@testable import Workers

@Suite struct ResultTests {
  private let scratch: TestFolder

  init() throws {
    scratch = try TestFolder()
  }

  @Test func removesEarlierResultsAndNothingElse() throws {
    let folder = ResultFolder(scratch.path)
    try FileManager.default.createDirectory(atPath: folder.screenshots, withIntermediateDirectories: true)
    for file in [folder.screenshots + "/001-default.png", folder.events, scratch.path + "/notes.txt"] {
      try Data("x".utf8).write(to: URL(filePath: file))
    }
    try folder.write(InterruptedRecord.sample)
    try folder.prepare()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["notes.txt"])
  }

  /// A creative's own files may bear the names of results.
  @Test(arguments: ["screenshots/1.png", "states/a.json", "events.ndjson", "result.json", "filmstrip.png"])
  func leavesWhatNoRenderLeft(name: String) throws {
    let file = URL(filePath: scratch.path).appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(#"{"schema":2,"mine":true}"#.utf8).write(to: file)
    let fault = #expect(throws: Fault.self) { try ResultFolder(scratch.path).prepare() }
    #expect(fault?.code == "output-not-a-result" && fault?.origin == .request)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  /// Neither a record nor pictures may be there yet when a run is killed.
  @Test(arguments: ["", #"{"detail":{},"name":"load","seq":0,"source":"host","t":1}"# + "\n{\"se"])
  func removesWhatAKilledRunLeft(log: String) throws {
    let folder = ResultFolder(scratch.path)
    try FileManager.default.createDirectory(atPath: folder.screenshots, withIntermediateDirectories: true)
    try Data(log.utf8).write(to: URL(filePath: folder.events))
    if !log.isEmpty { try Data("x".utf8).write(to: URL(filePath: folder.screenshots + "/001-default.png")) }
    try folder.prepare()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    try FileManager.default.createDirectory(atPath: folder.trials + "/1", withIntermediateDirectories: true)
    try Data(log.utf8).write(to: URL(filePath: folder.trials + "/1/events.ndjson"))
    if !log.isEmpty { try folder.prepare() }
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
    let screenshot: [UInt8] = [
      137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 4, 146, 0, 0, 9, 228,
    ]
    try Data(screenshot).write(to: URL(filePath: folder.screenshots + "/002-expanded.png"))
    let record = InterruptedRecord(
      job: .fake(0, "ad", output: scratch.path), fault: .deadline("deadline-exceeded", "late"), attempts: 1
    ).record()
    #expect(record.states == [.default, .expanded])
    #expect(record.screenshots.map(\.name) == ["002-expanded"])
    #expect(record.screenshots.map(\.state) == [.expanded])
    #expect(record.screenshots.map(\.width) == [1170])
    #expect(record.screenshots.map(\.height) == [2532])
    #expect(record.eventCount == 6)
    #expect(record.code == "deadline-exceeded")
    #expect(record.outcome == .timedOut)
  }

  @Test func makesARecordWithoutALog() {
    let record = InterruptedRecord(
      job: .fake(0, "ad"), fault: .engine("worker-died", "gone"), attempts: 3
    ).record()
    #expect(record.outcome == .crashed)
    #expect(record.states.isEmpty)
    #expect(record.attempts == 3)
  }
}

extension InterruptedRecord {
  /// A record of any render.
  fileprivate static var sample: RenderRecord {
    InterruptedRecord(job: .fake(0, "ad"), fault: .engine("x", "y"), attempts: 1).record()
  }
}
