import Files
import Foundation
import TestFolders
import Testing

@Suite("An engine's folder")
struct EngineFolderTests {
  private let home: TestFolder
  private var place: String { home.path }

  init() throws { home = try TestFolder() }

  @Test("stays as long as its owner holds the lock, and goes with all that is in it afterwards")
  func sweeps() throws {
    let (path, lock) = try #require(EngineFolder.make(in: place))
    try FileManager.default.createDirectory(atPath: path + "/1/deep", withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: path + "/1/deep/file", contents: Data("x".utf8))
    EngineFolder.sweep(place)
    #expect(FileManager.default.fileExists(atPath: path + "/1/deep/file"))
    close(lock)
    EngineFolder.sweep(place)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
  }

  @Test("follows no link out of it")
  func links() throws {
    let outside = place + "/kept"
    _ = FileManager.default.createFile(atPath: outside, contents: Data("x".utf8))
    let (path, lock) = try #require(EngineFolder.make(in: place))
    try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: place)
    close(lock)
    EngineFolder.sweep(place)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["kept"])
  }

  @Test("that has no lock yet is somebody's who just makes it, until it is old")
  func young() throws {
    let path = place + "/galley-engine-abcdef"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    EngineFolder.sweep(place)
    #expect(FileManager.default.fileExists(atPath: path))
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
    EngineFolder.sweep(place)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("takes the socket of its display along")
  func display() throws {
    let (path, lock) = try #require(EngineFolder.make(in: place))
    let number = try #require(EngineFolder.drawDisplay(for: path))
    #expect(number >= 1 << 20)
    try FileManager.default.createDirectory(atPath: "/tmp/.X11-unix", withIntermediateDirectories: true)
    let socket = "/tmp/.X11-unix/X\(number)"
    _ = FileManager.default.createFile(atPath: socket, contents: nil)
    close(lock)
    EngineFolder.sweep(place)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }
}
