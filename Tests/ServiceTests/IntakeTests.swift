import Core
import Foundation
import TestFolders
import Testing

@testable import Scheduling
@testable import Service

@Suite struct IntakeTests {
  private func request(_ name: String, scenario: String? = nil, entry: String? = nil) -> RenderRequest {
    var request = RenderRequest(name: name, url: nil, queueTimeout: 60)
    (request.scenario, request.entry) = (scenario, entry)
    return request
  }

  private func file(_ text: String, in uploads: UploadFolder) throws -> SpooledFile {
    let spool = try uploads.spool("part")
    for byte in text.utf8 { try spool.write([byte]) }
    return spool.finish()
  }

  @Test(
    arguments: [
      ("PK\u{3}\u{4}", "evil.html", "creative.zip"), ("x", "a.ZIP", "creative.zip"), ("x", "../../a.htm", "index.html"),
      ("x", "tag.js", "creative.js"), ("x", "/etc/passwd", "markup"), ("x", nil, "markup"),
    ] as [(String, String?, String)])
  func takesNothingOfAFileNameButTheKind(text: String, name: String?, expected: String) {
    #expect(CreativeUploader.file(Array(text.utf8)[...], fileName: name) == expected)
  }

  @Test func leavesNothingOfWhatCantBeOpened() throws {
    let scratch = try TestFolder()
    let data = try DataFolder(scratch.path)
    let intake = CreativeUploader(data: data, blobs: BlobStore(data.blobs))
    let uploads = UploadFolder(data)
    let broken = try file("PK\u{3}\u{4}broken", in: uploads)
    do throws(Problem) {
      _ = try intake.acceptUpload(.file(broken, name: "a.zip"), of: request("a.zip"))
      Issue.record("a broken zip was taken")
    } catch {
      #expect(error.status == 422)
      #expect(error.fault.code == "zip-broken")
    }
    uploads.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.scratch) == [])
  }

  @Test(arguments: ["<html>404 not found</html>", "hello", "PK\u{3}\u{4}broken"])
  func takesOnlyAZipAsOne(text: String) throws {
    let scratch = try TestFolder()
    let data = try DataFolder(scratch.path)
    let intake = CreativeUploader(data: data, blobs: BlobStore(data.blobs))
    let base64 = Data(text.utf8).base64EncodedString()
    let submission = try Submission(
      json: Array("{\"zip\": \"\(base64)\"}".utf8), bounds: ServiceSettings.Bounds())
    // Large documents go by way of the disk.
    for submission in [submission, try submission.spooled(to: UploadFolder(data))] {
      let problem = #expect(throws: Problem.self) { try intake.acceptUpload(submission.creative, of: request("x")) }
      #expect(problem?.status == 422 && problem?.fault.code == "zip-broken")
    }
  }

  private static let several = [
    ("a/index.html", "<p>A"), ("a/x.png", ""), ("b/index.html", "<p>B"), ("b/scenario.yaml", "- tapp: x"),
    ("c/ad.html", "<p>C"),
  ]

  @Test func aZipOfSeveralIsToldWithItsCreatives() throws {
    let scratch = try TestFolder()
    let data = try DataFolder(scratch.path)
    let intake = CreativeUploader(data: data, blobs: BlobStore(data.blobs))
    let problem = #expect(throws: Problem.self) {
      try intake.acceptUpload(.zip(SmallZip.of(Self.several)), of: request("all.zip"))
    }
    let told = "its pages are a/index.html, b/index.html, c/ad.html: name one in entry"
    #expect(problem?.fault.message.hasSuffix(told) == true)
    #expect(problem?.entries == ["a", "b", "c/ad.html"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.scratch) == [])
  }

  @Test func takesOneOfTheCreativesOfAZip() throws {
    let scratch = try TestFolder()
    let data = try DataFolder(scratch.path)
    let intake = CreativeUploader(data: data, blobs: BlobStore(data.blobs))
    let zip = Creative.zip(SmallZip.of(Self.several))
    for entry in ["a", "a/index.html", "c/ad.html"] {
      let taken = try intake.acceptUpload(zip, of: request("all", entry: entry))
      #expect(taken.content == zip.hash)
    }
    // The scenario beside the chosen page counts, and no other.
    let odd = #expect(throws: Problem.self) { try intake.acceptUpload(zip, of: request("all", entry: "b")) }
    #expect(odd?.fault.code == "scenario-invalid")
    for entry in ["d", "../a", "a/../../a", "/etc"] {
      let problem = #expect(throws: Problem.self, "\(entry)") {
        try intake.acceptUpload(zip, of: request("all", entry: entry))
      }
      #expect(problem?.status == 422 && problem?.fault.code == "index-missing", "\(entry)")
      #expect(problem?.entries == [])
    }
    for creative in [Creative.bytes(Array("<p>".utf8)), .address("https://ads.example/ad.zip")] {
      let plain = #expect(throws: Problem.self) {
        try intake.acceptUpload(creative, of: request("ad", entry: "a"))
      }
      #expect(plain?.fault.code == "entry-without-zip")
    }
  }

  /// Reads the scenario in a zip at acceptance, unless the request has its own.
  @Test func refusesAScenarioInAZipThatCantBePlayed() throws {
    let scratch = try TestFolder()
    let data = try DataFolder(scratch.path)
    let intake = CreativeUploader(data: data, blobs: BlobStore(data.blobs))
    let broken = SmallZip.of([("index.html", "<p>"), ("scenario.yaml", "- tapp: x")])
    do throws(Problem) {
      _ = try intake.acceptUpload(.bytes(broken), of: request("ad"))
      Issue.record("a broken scenario was taken")
    } catch {
      #expect(error.fault.code == "scenario-invalid" && error.fault.message.hasPrefix("ad/scenario.yaml:1: "))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.scratch) == [])
    _ = try intake.acceptUpload(.bytes(broken), of: request("ad", scenario: "- close"))
    let good = SmallZip.of([("index.html", "<p>"), ("scenario.yaml", "- close")])
    let taken = try intake.acceptUpload(.bytes(good), of: request("ad"))
    #expect(taken.folder.creativeFile == "creative.zip")
  }

  @Test func keepsACreativeAloneInItsFolder() throws {
    let scratch = try TestFolder()
    let data = try DataFolder(scratch.path)
    let intake = CreativeUploader(data: data, blobs: BlobStore(data.blobs))
    let uploads = UploadFolder(data)
    let spooled = try file("<p>ad</p>", in: uploads)
    let taken = try intake.acceptUpload(.file(spooled, name: "b.html"), of: request("b.html"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: uploads.path) == [])
    #expect(taken.content == Creative.bytes(Array("<p>ad</p>".utf8)).hash)
    #expect(try FileManager.default.contentsOfDirectory(atPath: taken.folder.creative) == ["index.html"])
    #expect(taken.folder.creativeFile == "index.html")
  }
}

/// Zip of stored entries with these contents.
enum SmallZip {
  static func of(_ files: [(name: String, text: String)]) -> [UInt8] {
    var (bytes, directory) = ([UInt8](), [UInt8]())
    for file in files {
      let (name, text) = (Array(file.name.utf8), Array(file.text.utf8))
      let size = long(UInt32(text.count))
      let facts = words(20, 0, 0, 0, 0) + long(checksum(text)) + size + size + words(UInt16(name.count), 0)
      directory += [0x50, 0x4B, 1, 2] + words(20) + facts + words(0, 0, 0) + long(0) + long(UInt32(bytes.count)) + name
      bytes += [0x50, 0x4B, 3, 4] + facts + name + text
    }
    let count = UInt16(files.count)
    let end = words(0, 0, count, count) + long(UInt32(directory.count)) + long(UInt32(bytes.count)) + words(0)
    return bytes + directory + [0x50, 0x4B, 5, 6] + end
  }

  private static func words(_ values: UInt16...) -> [UInt8] { values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
  private static func long(_ value: UInt32) -> [UInt8] { words(UInt16(value & 0xFFFF), UInt16(value >> 16)) }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = sum & 1 == 1
        sum >>= 1
        if isOdd { sum ^= 0xEDB8_8320 }
      }
    }
    return ~sum
  }
}
