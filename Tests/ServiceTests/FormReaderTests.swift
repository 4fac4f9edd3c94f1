import Core
import Foundation
import TestFolders
import Testing

@testable import Scheduling
@testable import Service

@Suite struct FormReaderTests {
  private let scratch: TestFolder
  private let uploads: UploadFolder

  init() throws {
    scratch = try TestFolder()
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

  @Test func namesAFileFieldThatItDoesntKnow() throws {
    let large = String(repeating: "x", count: 1_200_000)
    let problem = #expect(throws: Problem.self) { try read([("creatve; filename=a.zip", large)]) }
    #expect(problem?.fields.first?.detail == "isn't a known file field; did you mean creative?")
  }
}

@Suite struct FormScannerTests {
  /// A field as it was said, whole.
  private struct Field: Equatable {
    let head: FormHead
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private func scan(_ body: [UInt8], boundary: String = "b", pieces length: Int = .max) throws -> [Field] {
    var scanner = FormScanner(boundary: boundary)
    var fields: [Field] = []
    for start in stride(from: 0, to: body.count, by: min(length, max(1, body.count))) {
      for piece in try scanner.feed(body[start..<min(body.count, start + min(length, body.count))]) {
        switch piece {
        case .head(let head): fields.append(Field(head: head))
        case .bytes(let more): fields[fields.count - 1].bytes += more
        case .end: break
        }
      }
    }
    try scanner.finish()
    return fields
  }

  private func scan(_ text: String, pieces length: Int = .max) throws -> [Field] {
    try scan(Array(text.replacing("\n", with: "\r\n").utf8), pieces: length)
  }

  @Test(arguments: [1, 2, 3, 7, 40, .max]) func takesFieldsAndFilesApartHoweverTheyCome(length: Int) throws {
    let fields = try scan(
      """
      --b
      Content-Disposition: form-data; name="device"

      pixel-8
      --b
      content-disposition: form-data; name="creative"; filename="a \\"b\\"; c.html"
      Content-Type: text/html

      <p>one

      two--b
      --b--
      """, pieces: length)
    #expect(fields.map(\.head.name) == ["device", "creative"])
    #expect(fields.map(\.head.fileName) == [nil, "a \"b\"; c.html"])
    #expect(fields.map(\.text) == ["pixel-8", "<p>one\r\n\r\ntwo--b"])
  }

  @Test(arguments: 1...12) func keepsBytesAsTheyAre(length: Int) throws {
    let bytes: [UInt8] = [0, 13, 10, 45, 45, 255, 13, 10]
    let head = Array("--x\r\nContent-Disposition: form-data; name=f; filename=g\r\n\r\n".utf8)
    let fields = try scan(head + bytes + Array("\r\n--x--\r\n".utf8), boundary: "x", pieces: length)
    #expect(fields.map(\.bytes) == [bytes])
  }

  @Test(arguments: [
    "", "--b", "--b\n\n", "--b\nContent-Disposition: form-data; name=\"a\"\n\nx", "--b\nX: y\n\nx\n--b--",
    "--b\nno colon\n\nx\n--b--", "--bx\n\n\n--b--",
  ])
  func refusesWhatIsNoForm(text: String) {
    #expect(throws: Problem.self) { try scan(text) }
    #expect(throws: Problem.self) { try scan(text, pieces: 1) }
  }

  @Test func refusesTooManyFields() {
    let field = "--b\nContent-Disposition: form-data; name=\"a\"\n\nx\n"
    #expect(throws: Problem.self) { try scan(String(repeating: field, count: 61) + "--b--") }
    #expect(throws: Never.self) { try scan(String(repeating: field, count: 60) + "--b--") }
  }

  @Test func holdsNoMoreThanAHead() throws {
    var scanner = FormScanner(boundary: "b")
    let endless = Array(repeating: UInt8(ascii: "x"), count: 20_000)
    _ = try scanner.feed("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8)
    // All but what might be the beginning of a boundary is handed on at once.
    #expect(try scanner.feed(endless) == [.bytes(Array(endless.dropLast(4)))])
    var headless = FormScanner(boundary: "b")
    _ = try headless.feed("--b\r\n".utf8)
    #expect(throws: Problem.self) { try headless.feed(endless) }
  }

  @Test func leavesAloneWhatFollowsTheLastBoundary() throws {
    let fields = try scan("ignored\n--b\nContent-Disposition: form-data; name=a\n\nx\n--b--\n--b\nmore", pieces: 5)
    #expect(fields.map(\.text) == ["x"])
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data;boundary=\"a b\"", "a b"),
    ("multipart/form-data", nil), ("multipart/mixed; boundary=a", nil), ("multipart/form-data; boundary=", nil),
  ])
  func findsTheBoundary(type: String, expected: String?) {
    #expect(FormScanner.boundary(ofContentType: type) == expected)
  }
}
