import Foundation
import Testing

@testable import Pixels

@Suite struct PNGFileTests {
  private static let bitmap = Bitmap(width: 3, height: 2, fill: Color(rgb: 0x0A_0B0C))

  /// Runs a test in a folder of its own.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "pixels-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func writtenFileIsReadBackAndNothingElseIsLeft() throws {
    try withFolder { folder in
      try PNGEncoder.write(Self.bitmap, to: folder + "/a.png")
      #expect(try PNGDecoder.read(path: folder + "/a.png") == Self.bitmap)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.png"])
    }
  }

  @Test func existingFileIsReplaced() throws {
    try withFolder { folder in
      try PNGEncoder.write(Bitmap(width: 200, height: 200, fill: .white), to: folder + "/a.png")
      try PNGEncoder.write(Self.bitmap, to: folder + "/a.png")
      #expect(try PNGDecoder.read(path: folder + "/a.png") == Self.bitmap)
    }
  }

  @Test func missingFolderIsReportedWithPathAndErrno() throws {
    try withFolder { folder in
      let path = folder + "/none/a.png"
      #expect(throws: PNGError.file(operation: "write", path: path, number: ENOENT)) {
        try PNGEncoder.write(Self.bitmap, to: path)
      }
      #expect(throws: PNGError.file(operation: "read", path: path, number: ENOENT)) {
        try PNGDecoder.read(path: path)
      }
    }
  }

  @Test func failedWriteLeavesNoTemporaryFile() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/a.png", withIntermediateDirectories: true)
      #expect(throws: PNGError.file(operation: "write", path: folder + "/a.png", number: EISDIR)) {
        try PNGEncoder.write(Self.bitmap, to: folder + "/a.png")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.png"])
    }
  }

  @Test func fullDiskIsSeenWhenWriting() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(PNGFile.fill(descriptor, with: [1, 2, 3]) == ENOSPC)
  }

  @Test func foldersAndPipesAreNotRead() throws {
    try withFolder { folder in
      #expect(throws: PNGError.file(operation: "read", path: folder, number: EISDIR)) {
        try PNGDecoder.read(path: folder)
      }
      let pipe = folder + "/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      #expect(throws: PNGError.file(operation: "read", path: pipe, number: EINVAL)) { try PNGDecoder.read(path: pipe) }
    }
  }

  @Test func messagesSayWhatToActOn() {
    let full = PNGError.file(operation: "write", path: "/r/a.png", number: ENOSPC)
    #expect(full.code == "png-disk-full")
    #expect(full.description == "can't write /r/a.png: No space left on device (errno 28)")
    #expect(PNGError.file(operation: "write", path: "/r/a.png", number: EACCES).code == "png-not-permitted")
    #expect(PNGError.file(operation: "read", path: "/r/a.png", number: ENOENT).code == "png-file")
  }
}
