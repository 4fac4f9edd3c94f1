import Core
import Foundation
import TestFolders
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
    let home = try TestFolder()
    let folder = home.path
    try home.makeFolder("a")
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
