import Service
import Testing

@Suite struct MultipartTests {
  private func parse(_ text: String, boundary: String = "b") throws -> [MultipartPart] {
    try MultipartParser.parse(Array(text.replacing("\n", with: "\r\n").utf8), boundary: boundary)
  }

  @Test func takesFieldsAndFilesApart() throws {
    let parts = try parse(
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
      """)
    #expect(parts.map(\.name) == ["device", "creative"])
    #expect(String(decoding: parts[0].body, as: UTF8.self) == "pixel-8")
    #expect(parts[1].fileName == "a \"b\"; c.html")
    #expect(parts[1].contentType == "text/html")
    #expect(String(decoding: parts[1].body, as: UTF8.self) == "<p>one\r\n\r\ntwo--b")
  }

  @Test func keepsBytesAsTheyAre() throws {
    let bytes: [UInt8] = [0, 13, 10, 45, 45, 255, 13, 10]
    let head = Array("--x\r\nContent-Disposition: form-data; name=f; filename=g\r\n\r\n".utf8)
    let parts = try MultipartParser.parse(head + bytes + Array("\r\n--x--\r\n".utf8), boundary: "x")
    #expect(parts.map { Array($0.body) } == [bytes])
  }

  @Test(arguments: [
    "", "--b", "--b\n\n", "--b\nContent-Disposition: form-data; name=\"a\"\n\nx", "--b\nX: y\n\nx\n--b--",
    "--b\nno colon\n\nx\n--b--", "--bx\n\n\n--b--",
  ])
  func refusesWhatIsNoForm(text: String) {
    #expect(throws: Problem.self) { try parse(text) }
  }

  @Test func refusesTooManyFields() {
    let field = "--b\nContent-Disposition: form-data; name=\"a\"\n\nx\n"
    #expect(throws: Problem.self) { try parse(String(repeating: field, count: 61) + "--b--") }
    #expect(throws: Never.self) { try parse(String(repeating: field, count: 60) + "--b--") }
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data;boundary=\"a b\"", "a b"),
    ("multipart/form-data", nil), ("multipart/mixed; boundary=a", nil), ("multipart/form-data; boundary=", nil),
  ])
  func findsTheBoundary(type: String, expected: String?) {
    #expect(MultipartParser.boundary(ofContentType: type) == expected)
  }
}
