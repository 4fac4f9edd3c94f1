import Core
import Foundation
import Testing

@Suite("Paths")
struct AbsolutePathTests {
  @Test("from the root stay as they are written, others begin at a folder")
  func written() {
    #expect(AbsolutePath.written("/a/../b", in: "/c") == "/a/../b")
    #expect(AbsolutePath.written("a", in: "/c") == "/c/a")
    #expect(AbsolutePath.written("a") == FileManager.default.currentDirectoryPath + "/a")
  }

  @Test("lead to folders, through links as well, or don't")
  func folders() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/path-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder + "/a", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "a")
    try Data().write(to: URL(filePath: folder + "/file"))
    #expect(AbsolutePath.isFolder(folder + "/a"))
    #expect(AbsolutePath.isFolder(folder + "/link"))
    #expect(!AbsolutePath.isFolder(folder + "/file"))
    #expect(!AbsolutePath.isFolder(folder + "/none"))
    #expect(!AbsolutePath.isFolder(""))
    #expect(!AbsolutePath.isFolder(folder + "/a\0b"))
  }
}
