import Core
import Testing

@testable import Creatives

/// Zips that Galley makes.
struct ZipWriterTests {
  @Test func `what was packed can be unpacked`() throws {
    let folder = try ScratchFolder()
    let files = [
      ZipWriter.File("index.html", Array("<p>ä".utf8)), ZipWriter.File("a/empty", []),
      ZipWriter.File("ü.bin", [UInt8](repeating: 7, count: 300_000)), ZipWriter.File("index.html", Array("<p>b".utf8)),
    ]
    let zip = try ZipWriter.zip(files)
    #expect(zip.count < 10_000)
    try folder.write("a.zip", zip)
    let archive = try ZipArchive(OpenFile(path: "\(folder.path)/a.zip"), limits: .standard)
    #expect(Set(archive.entries.keys) == ["index.html", "a/empty", "ü.bin"])
    #expect(try archive.entries["index.html"].map { try archive.bytes(of: $0) } == Array("<p>b".utf8))
    #expect(try archive.entries["ü.bin"].map { try archive.bytes(of: $0) } == files[2].bytes)
  }
}
