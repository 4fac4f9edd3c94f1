import Core
import RenderModel
import TestFolders
import Testing

@testable import Creatives

@Suite("Writing zips")
struct ZipWriterTests {
  private static let files: [(name: String, bytes: [UInt8], isPacked: Bool)] = [
    ("index.html", Array("<p>".utf8) + [UInt8](repeating: 0x61, count: 50_000), false),
    ("pictures/ä.png", (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, true), ("empty.txt", [], false),
  ]

  private static func written() throws -> [UInt8] {
    var zip = try ZipWriter()
    for file in files { try zip.add(file.name, file.bytes, isPacked: file.isPacked) }
    return try zip.finish()
  }

  @Test("what is written is read again, packed or as it was")
  func readAgain() throws {
    let folder = try TestFolder()
    let bytes = try Self.written()
    // Fifty kilobytes of one letter take next to nothing, what is packed already takes what it did.
    #expect((5_000..<6_500).contains(bytes.count))
    let path = try folder.write("out.zip", bytes)
    let archive = try ZipArchive(OpenFile(path: path, name: "out.zip"), limits: .standard)
    #expect(Set(archive.names) == Set(Self.files.map(\.name)))
    for file in Self.files {
      let entry = try #require(archive.entry(file.name))
      #expect(try archive.bytes(of: entry) == file.bytes)
    }
  }

  @Test("the same files give the same bytes")
  func sameTwice() throws {
    #expect(try Self.written() == Self.written())
  }

  @Test("an archive that isn't finished leaves nothing behind")
  func givenUp() throws {
    var zip = try ZipWriter()
    try zip.add("a", [1], isPacked: false)
  }
}
