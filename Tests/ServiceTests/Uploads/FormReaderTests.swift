import Foundation
import Jobs
import ServiceStore
import Testing

@testable import Service

@Suite struct FormReaderTests {
  private let scratch: Scratch
  private let uploads: UploadFolder

  init() throws {
    scratch = try Scratch()
    uploads = UploadFolder(try DataFolder(scratch.path))
  }

  private func read(_ fields: [(name: String, value: String)]) throws -> [FormPart] {
    var reader = FormReader(boundary: "b", files: ["creative"], folder: uploads)
    for (name, value) in fields {
      try reader.feed("--b\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n\(value)\r\n".utf8)
    }
    try reader.feed("--b--".utf8)
    return try reader.finish()
  }

  @Test func writesCreativesToTheDiskAndKeepsTheRestAtHand() throws {
    let parts = try read([("device", "pixel-8"), ("creative", "PK\u{3}\u{4}zip")])
    #expect(parts.map(\.name) == ["device", "creative"])
    #expect(parts.first?.text == "pixel-8")
    guard case .file(let file)? = parts.last?.content else {
      Issue.record("the creative is no file")
      return
    }
    #expect(FileManager.default.contents(atPath: file.path) == Data("PK\u{3}\u{4}zip".utf8))
    #expect(file.size == 7 && file.beginning == [0x50, 0x4B, 3, 4])
    #expect(file.hash == Creative.bytes(Array("PK\u{3}\u{4}zip".utf8)).hash)
    uploads.remove()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func refusesFieldsThatFillTheMemory() throws {
    let half = String(repeating: "x", count: 600_000)
    do {
      _ = try read([("a", half), ("b", half)])
      Issue.record("more than a megabyte was read")
    } catch let problem as Problem {
      #expect(problem.status == 413 && problem.fault.code == "fields-too-large")
    }
    #expect(throws: Never.self) { try read([("creative", half + half)]) }
  }
}
