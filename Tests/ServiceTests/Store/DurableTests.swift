import Foundation
import Jobs
import ServiceStore
import Testing

@Suite struct DurableTests {
  @Test func replacesAFileInOneStep() throws {
    let scratch = try Scratch()
    try Durable.write(Array("old".utf8), to: scratch.path + "/a")
    try Durable.write(Array("new".utf8), to: scratch.path + "/b")
    try Durable.move(scratch.path + "/b", to: scratch.path + "/a")
    #expect(scratch.read("a") == "new")
    #expect(scratch.read("b") == nil)
  }

  @Test func takesAFolderOutOfTheWayWhole() throws {
    let scratch = try Scratch()
    _ = try scratch.write("render/out/file", "x")
    Durable.remove(scratch.path + "/render", by: scratch.path + "/leaving")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
  }

  @Test func saysWhoseFaultItIs() {
    do throws(Fault) {
      try Durable.write([1], to: "/nowhere/file")
      Issue.record("it was written")
    } catch {
      #expect(error.blame == .engine && error.code == "data-failed")
    }
  }
}
