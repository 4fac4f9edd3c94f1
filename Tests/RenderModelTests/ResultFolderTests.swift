import Core
import Files
import Foundation
import MRAID
import RenderModel
import TestFolders
import Testing

@Suite("The folder of a render's results")
struct RenderFolderTests {
  private let record = RenderRecord(
    creative: RenderRecord.Creative(path: "x"),
    device: RenderRecord.DeviceSummary(name: "d", width: 1, height: 2, scale: 1, renderScale: 1), outcome: .completed)

  @Test("is made with its screenshots, and may be there already")
  func made() throws {
    let folder = try TestFolder()
    for _ in 0..<2 {
      let output = try ResultFolder.begin(folder.path + "/a/b")
      #expect(FileManager.default.fileExists(atPath: output.path + "/screenshots"))
    }
  }

  @Test("holds the record as it was")
  func writes() throws {
    let folder = try TestFolder()
    let output = try ResultFolder.begin(folder.path + "/a")
    try output.write(record)
    let data = try Data(contentsOf: URL(fileURLWithPath: output.result))
    #expect(try JSONDecoder().decode(RenderRecord.self, from: data) == record)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output.path).sorted() == ["result.json", "screenshots"])
  }

  @Test(
    "blames the caller for a place that can't be written",
    arguments: [
      (EACCES, Fault.Origin.request, "output-unwritable"), (EPERM, .request, "output-unwritable"),
      (EROFS, .request, "output-unwritable"), (ENOTDIR, .request, "output-unwritable"),
      (ENOSPC, .engine, "disk-full"),
      (EDQUOT, .engine, "disk-full"), (EIO, .engine, "output-failed"), (0, .engine, "output-failed"),
    ])
  func faults(number: Int32, origin: Fault.Origin, code: String) {
    let fault = Fault.writing("/x/y", SystemError(number))
    #expect(fault.origin == origin)
    #expect(fault.code == code)
    #expect(fault.message.hasPrefix("can't write to /x/y: "))
  }

  @Test("blames the caller when a file is in the way", arguments: ["", "/sub"])
  func fileInTheWay(rest: String) throws {
    let folder = try TestFolder()
    try folder.write("file", "x")
    let fault = try #require(throws: Fault.self) { _ = try ResultFolder.begin(folder.path + "/file" + rest) }
    #expect(fault.code == "output-unwritable")
  }

  @Test("says when the record can't be written")
  func unwritable() throws {
    let folder = try TestFolder()
    let output = try ResultFolder.begin(folder.path + "/a")
    try FileManager.default.removeItem(atPath: output.path)
    let fault = try #require(throws: Fault.self) { try output.write(record) }
    #expect(fault.message.contains("result.json"))
    #expect(["output-failed", "output-unwritable"].contains(fault.code))
  }

  @Test("the fullest picture of the state that it begins in stands for the creative")
  func thumbnail() {
    var record = record
    func shot(_ name: String, _ state: MRAIDState, _ share: Double?) -> RenderRecord.Screenshot {
      RenderRecord.Screenshot(
        name: name, path: "\(name).png", state: state, t: 0, width: 1, height: 1, contentShare: share)
    }
    record.screenshots = [shot("black", .default, 0), shot("whole", .expanded, 1), shot("end", .default, 0.5)]
    #expect(record.thumbnail?.name == "end")
    record.screenshots = []
    #expect(record.thumbnail == nil)
  }

  @Test("blames Galley for a document without a form in JSON, and leaves none")
  func unencodable() async throws {
    let folder = try TestFolder()
    let output = try ResultFolder.begin(folder.path + "/a")
    var broken = record
    broken.timings = ["total": .nan]
    let fault = try #require(throws: Fault.self) { try output.write(broken) }
    #expect(fault.code == "output-failed")
    #expect(!output.holds("result.json"))
  }

  @Test("gives back what was written, and nothing of what isn't there or is no such document")
  func readsBack() async throws {
    let folder = try TestFolder()
    let output = try ResultFolder.begin(folder.path + "/a")
    #expect(throws: ResultProblem.unreadable) { try output.record() }
    #expect(output.readMeasurements() == nil)
    try output.write(record)
    #expect(await output.write([PageSnapshot]()) == nil)
    #expect(try output.record() == record)
    #expect(output.readObservations().isEmpty)
    try folder.write("a/result.json", "{}")
    #expect(throws: ResultProblem.broken) { try output.record() }
  }
}
