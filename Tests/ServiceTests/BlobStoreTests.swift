import Core
import Foundation
@testable import Scheduling
import Service
import TestFolders
import Testing

@Suite struct BlobStoreTests {
  private let scratch: TestFolder
  private let data: DataFolder
  private let blobs: BlobStore

  init() throws {
    scratch = try TestFolder()
    data = try DataFolder(scratch.path + "/data")
    blobs = BlobStore(data.blobs)
  }

  private func names(of path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.referenceCount] as? Int)
  }

  @Test func keepsTheSameContentsOnce() throws {
    let one = try scratch.write("data/renders/one/a.png", "same")
    let two = try scratch.write("data/renders/two/b.png", "same")
    let hash = try blobs.adopt(one)
    #expect(hash == "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5")
    #expect(try blobs.adopt(two) == hash)
    #expect(try names(of: one) == 3)
    #expect(scratch.text("data/renders/two/b.png") == "same")
    #expect(blobs.sweep() == 4)
  }

  @Test func isNotChangedByWhoWritesItsFileAnew() throws {
    let one = try scratch.write("data/renders/one/a.json", "first")
    try blobs.adopt(one)
    try Data("second".utf8).write(to: URL(filePath: one), options: .atomic)
    let two = try scratch.write("data/renders/two/a.json", "first")
    try blobs.adopt(two)
    #expect(scratch.text("data/renders/two/a.json") == "first")
  }

  @Test func removesOnlyWhatNobodyRefersTo() throws {
    let one = try scratch.write("data/renders/one/a", "aaaa")
    let two = try scratch.write("data/renders/two/b", "bb")
    try blobs.adopt(below: data.renders)
    try FileManager.default.removeItem(atPath: one)
    #expect(blobs.sweep() == 2)
    #expect(FileManager.default.contents(atPath: two) == Data("bb".utf8))
    #expect(blobs.sweep() == 2)
  }

  @Test func adoptsAgainWhatItHasAlready() throws {
    let one = try scratch.write("data/renders/one/a", "aaaa")
    try blobs.adopt(one)
    try blobs.adopt(one)
    #expect(try names(of: one) == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.render("one").path) == ["a"])
  }

  @Test func doesntShowItsFolderToOthers() throws {
    let mode = try FileManager.default.attributesOfItem(atPath: data.path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }
}

@Suite struct DurableTests {
  @Test func replacesAFileInOneStep() throws {
    let scratch = try TestFolder()
    try DurableFile.write(Array("old".utf8), to: scratch.path + "/a")
    try DurableFile.write(Array("new".utf8), to: scratch.path + "/b")
    try DurableFile.move(scratch.path + "/b", to: scratch.path + "/a")
    #expect(scratch.text("a") == "new")
    #expect(scratch.text("b") == nil)
  }

  @Test func takesAFolderOutOfTheWayWhole() throws {
    let scratch = try TestFolder()
    _ = try scratch.write("render/out/file", "x")
    DurableFile.remove(scratch.path + "/render", by: scratch.path + "/leaving")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
  }

  @Test func saysWhoseFaultItIs() {
    do throws(Fault) {
      try DurableFile.write([1], to: "/nowhere/file")
      Issue.record("it was written")
    } catch {
      #expect(error.origin == .engine && error.code == "data-failed")
    }
  }
}
