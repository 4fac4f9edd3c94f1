@testable import Core
import Foundation
import Testing

@Suite("Reading a file")
struct FileReadingTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/file-reading-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func pipe() throws -> String {
    let path = folder + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  @Test("gives all of it, up to the most that is wanted")
  func whole() throws {
    let path = folder + "/file"
    try Data(repeating: 7, count: 200_000).write(to: URL(filePath: path))
    #expect(try FileReading.regular(path, most: 200_000) == [UInt8](repeating: 7, count: 200_000))
    #expect(try FileReading.named(path, most: 200_000).count == 200_000)
    for read in [{ try FileReading.regular(path, most: 199_999) }, { try FileReading.named(path, most: 199_999) }] {
      #expect(throws: FileReadingError.tooLarge(most: 199_999)) { try read() }
    }
  }

  @Test("gives what the kernel shows, and nothing of what is gone")
  func kernel() {
    #expect(FileReading.kernelText("/proc/self/statm").split(separator: " ").count == 7)
    #expect(FileReading.kernelText("/proc/0/statm") == "")
  }

  @Test("isn't left to Foundation's strings, which keep a page of memory for each file that is empty")
  func leak() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    #expect(!names.isEmpty)
    for name in names {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      #expect(!text.contains("String(contentsOfFile:") && !text.contains("String(contentsOf:"), "\(name)")
    }
  }

  @Test("waits for no pipe where a file has to be", .timeLimit(.minutes(1)))
  func pipeForFile() throws {
    let path = try pipe()
    #expect(throws: FileReadingError.notAFile) { try FileReading.regular(path, most: 10) }
    #expect(throws: FileReadingError.notAFile) { try FileReading.regular("/dev/zero", most: 10) }
    #expect(throws: FileReadingError.notAFile) { try FileReading.regular(folder, most: 10) }
  }

  @Test("gives a named pipe up into which nobody writes", .timeLimit(.minutes(1)))
  func silentPipe() throws {
    let path = try pipe()
    #expect(throws: FileReadingError.silent(seconds: 0.1)) { try FileReading.named(path, most: 10, patience: 0.1) }
  }

  @Test("takes what is written into a named pipe to its end", .timeLimit(.minutes(1)))
  func writtenPipe() throws {
    let path = try pipe()
    Thread.detachNewThread {
      let end = open(path, O_WRONLY)
      try? FileWriting.writeAll(Array(repeating: 1, count: 100_000), to: end)
      close(end)
    }
    #expect(try FileReading.named(path, most: 100_000).count == 100_000)
  }

  @Test("ends a pipe and a device without an end at the most that is wanted", .timeLimit(.minutes(1)))
  func endless() throws {
    #expect(throws: FileReadingError.tooLarge(most: 1_000_000)) {
      try FileReading.named("/dev/zero", most: 1_000_000)
    }
  }

  @Test("says what the system says")
  func reasons() {
    #expect(throws: FileReadingError.system(SystemError(ENOENT))) {
      try FileReading.named(folder + "/none", most: 10)
    }
    #expect(throws: FileReadingError.system(SystemError(EISDIR))) { try FileReading.named(folder, most: 10) }
  }
}

@Suite("Writing all bytes")
struct FileWritingTests {
  @Test("goes on after a part and after an interruption")
  func parts() throws {
    var written: [UInt8] = []
    var calls = 0
    try FileWriting.writeAll(Array("in several parts".utf8)) { bytes in
      calls += 1
      if calls.isMultiple(of: 2) {
        errno = EINTR
        return -1
      }
      let part = bytes.prefix(5)
      written += part
      return part.count
    }
    #expect(String(decoding: written, as: UTF8.self) == "in several parts")
  }

  @Test("fails where nothing is written, and doesn't try for ever")
  func nothing() {
    #expect(throws: SystemError(EIO)) { try FileWriting.writeAll([1, 2, 3]) { _ in 0 } }
  }

  @Test("tells the system's reason")
  func reason() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let error = try #require(throws: SystemError.self) { try FileWriting.writeAll("x".utf8, to: full) }
    #expect(error == SystemError(ENOSPC))
    #expect("\(error)" == "no space left on device")
  }
}

@Suite("An engine's folder")
struct EngineFolderTests {
  private let place: String

  init() throws {
    place = FileManager.default.temporaryDirectory.path + "/engine-folder-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  }

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
