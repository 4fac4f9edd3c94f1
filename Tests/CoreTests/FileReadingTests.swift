import Files
import Foundation
import TestFolders
import Testing

@testable import Core

@Suite("Reading a file")
struct FileReadingTests {
  private let home: TestFolder
  private var folder: String { home.path }

  init() throws { home = try TestFolder() }

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
    let patience = FileReading.Patience(writer: 0.1, silence: 60, whole: 60)
    #expect(throws: FileReadingError.withoutWriter(seconds: 0.1)) {
      try FileReading.named(path, most: 10, patience: patience)
    }
  }

  @Test("gives a pipe up whose writer stays silent, or doesn't come to an end", .timeLimit(.minutes(1)))
  func silentWriter() throws {
    var ends: [Int32] = [-1, -1]
    try #require(Foundation.pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let path = "/dev/fd/\(ends[0])"
    var patience = FileReading.Patience(writer: 0.05, silence: 0.1, whole: 60)
    #expect(throws: FileReadingError.silent(seconds: 0.1)) {
      try FileReading.named(path, most: 10, patience: patience)
    }
    patience = FileReading.Patience(writer: 0.05, silence: 60, whole: 0.2)
    #expect(throws: FileReadingError.endless(seconds: 0.2)) {
      try FileReading.named(path, most: 10, patience: patience)
    }
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
