import Foundation
import Testing

@testable import Service

@Suite struct ResultFilesTests {
  private let scratch: Scratch
  private let files: ResultFiles

  init() throws {
    scratch = try Scratch()
    for name in ["out/result.json", "out/states/001.png", "out/a b.json", "out/states/note.txt", "secret.json"] {
      _ = try scratch.write(name, "12345")
    }
    files = ResultFiles(folder: scratch.path + "/out", base: "/files")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: scratch.path + "/out/link.json", withDestinationPath: "result.json")
    try manager.createSymbolicLink(atPath: scratch.path + "/out/up", withDestinationPath: "..")
  }

  @Test func givesEachFileThatItLists() throws {
    #expect(files.all.map(\.path) == ["a b.json", "result.json", "states/001.png"])
    for file in files.all {
      let found = try #require(files.file(file.path))
      #expect(found.url == file.url && found.bytes == 5 && found.type == file.type)
    }
  }

  @Test(arguments: [
    "", "/", "/result.json", "result.json/", "states//001.png", "./result.json", "../secret.json",
    "states/../result.json", "up/secret.json", "link.json", "up/out/result.json",
    "states", "states/note.txt", "none.json", "result.json\0.json",
    "result.json/x.json", ".json",
  ])
  func givesNothingElse(path: String) {
    #expect(files.file(path)?.path == nil)
  }
}
