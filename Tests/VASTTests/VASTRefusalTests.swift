import Foundation
import Testing
import VAST

@Suite("What isn't VAST")
struct VASTRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let code: VASTErrorCode
    let message: String
    var testDescription: String { message }
  }

  static let cases = [
    Case(text: "", code: .xmlParsing, message: "line 1: there is no element in it"),
    Case(
      text: "<VAST version=\"3.0\">\n<Ad>\n</VAST>", code: .xmlParsing,
      message: "line 3: <Ad> of line 2 is open, and another element ends"),
    Case(
      text: "<VAST version=\"3.0\">\n<Error>https://e.example/?a=1&b=2</Error></VAST>", code: .xmlParsing,
      message: "line 2: an & that begins no entity: in text write &amp;, or put addresses into <![CDATA[…]]>"),
    Case(
      text: "<VAST version=\"3.0\"><Ad><InLine>", code: .xmlParsing,
      message: "line 1: the document ends before <InLine> of line 1 does"),
    Case(text: "\n<html/>", code: .schemaValidation, message: "line 2: the root is <html>, not <VAST>"),
    Case(
      text: "<VideoAdServingTemplate/>", code: .versionNotSupported,
      message: "line 1: this is VAST 1; 2.0 to 4.3 are played"),
    Case(
      text: "<VAST version=\"5.0\"/>", code: .versionNotSupported,
      message: "line 1: VAST 5.0 isn't known; 2.0 to 4.3 are played"),
    Case(
      text: "<VAST version=\"3.0\">\n<Ad/></VAST>", code: .schemaValidation,
      message: "line 2: <Ad> has neither <InLine> nor <Wrapper>"),
    Case(
      text: "<VAST version=\"3.0\"><Ad>\n<Wrapper/></Ad></VAST>", code: .schemaValidation,
      message: "line 2: <Wrapper> has no <VASTAdTagURI> to follow"),
  ]

  @Test("says where and what is wrong, with the standard's code", arguments: cases)
  func refused(one: Case) {
    #expect { try Documents.parse(one.text) } throws: { error in
      guard let error = error as? VASTParseError else { return false }
      #expect(error.description == one.message)
      #expect(error.code == one.code)
      return true
    }
  }

  private static let laughs =
    "<!DOCTYPE VAST [<!ENTITY a0 \"ha\">"
    + (1...30).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
    + "]><VAST version=\"3.0\"><Error>&a30;</Error></VAST>"
  private static let external =
    "<!DOCTYPE VAST [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><VAST version=\"3.0\"><Error>&x;</Error></VAST>"
  private static let declarations = [
    laughs, external, "<?xml version=\"1.0\"?>\n<!-- <VAST> -->\n" + laughs,
    "<!DOCTYPE VAST SYSTEM \"https://e.example/vast.dtd\"><VAST version=\"3.0\"/>",
  ]
  private static let encodings: [String.Encoding] = [
    .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
  ]

  @Test(
    "refuses a DTD, with entities of its own or of others, whatever its encoding", arguments: declarations, encodings)
  func entities(text: String, encoding: String.Encoding) throws {
    let bytes = Array(try #require(text.data(using: encoding)))
    #expect { try VASTParser.parse(bytes) } throws: { error in
      (error as? VASTParseError)?.reason
        == "it has a document type declaration (DTD), which no ad needs and which isn't read"
    }
  }

  @Test("refuses encodings in which a DTD could hide", arguments: ["UTF-7", "EBCDIC-US", "ISO-2022-JP", "hz-gb-2312"])
  func hiding(name: String) {
    #expect { try Documents.parse("<?xml version=\"1.0\" encoding=\"\(name)\"?><VAST version=\"3.0\"/>") } throws: {
      error in
      (error as? VASTParseError)?.reason == "its encoding, \(name), isn't one that is read"
    }
  }

  @Test("reads a document in any encoding of Unicode, and a doctype within its markup", arguments: encodings)
  func unicode(encoding: String.Encoding) throws {
    let text = Documents.inLine("<Category>Käse<![CDATA[<!DOCTYPE html>]]></Category>" + Documents.film())
    let document = try VASTParser.parse(Array(try #require(("<?xml version=\"1.0\"?>" + text).data(using: encoding))))
    guard case .inLine(let inLine) = document.ads[0].content else { return #expect(Bool(false), "no in-line ad") }
    #expect(inLine.categories == ["Käse<!DOCTYPE html>"])
  }

  @Test("reads Latin 1 that says so")
  func latin() throws {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><VAST version=\"3.0\"><Error>é</Error></VAST>"
    let document = try VASTParser.parse(Array(try #require(text.data(using: .isoLatin1))))
    #expect(document.errors == ["é"])
  }

  @Test("refuses a document that nests without end")
  func nesting() {
    let text = "<VAST version=\"3.0\">" + String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
    #expect { try Documents.parse(text + "</VAST>") } throws: { error in
      (error as? VASTParseError)?.reason == "more than 64 elements in each other"
    }
  }
}
