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
      message: "line 1: this is VAST 1; 2.0 to 4.2 are played"),
    Case(text: "<VAST/>", code: .schemaValidation, message: "line 1: <VAST> doesn't say which version it is"),
    Case(
      text: "<VAST version=\"5.0\"/>", code: .versionNotSupported,
      message: "line 1: VAST 5.0 isn't known; 2.0 to 4.2 are played"),
    Case(
      text: "<VAST version=\"3.0\">\n<Ad/></VAST>", code: .schemaValidation,
      message: "line 2: <Ad> has neither <InLine> nor <Wrapper>"),
    Case(
      text: "<VAST version=\"3.0\"><Ad>\n<Wrapper/></Ad></VAST>", code: .schemaValidation,
      message: "line 2: <Wrapper> has no <VASTAdTagURI> to follow"),
    Case(
      text: Documents.inLine(Documents.film(duration: "8 s")), code: .schemaValidation,
      message: "line 3: <Duration> is \"8 s\", not HH:MM:SS"),
    Case(
      text: Documents.inLine(Documents.film(attributes: "skipoffset=\"5\"")), code: .schemaValidation,
      message: "line 3: skipoffset=\"5\" is neither HH:MM:SS nor a percentage"),
    Case(
      text: Documents.inLine(
        "<Creatives><Creative><Linear><MediaFiles>\n<MediaFile/></MediaFiles></Linear></Creative></Creatives>"),
      code: .schemaValidation, message: "line 4: <MediaFile> has no address"),
    Case(
      text: Documents.inLine(
        "<Creatives><Creative><CompanionAds><Companion width=\"0\" height=\"2\"/></CompanionAds></Creative></Creatives>"
      ),
      code: .schemaValidation, message: "line 3: <Companion> has no width and height"),
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

  @Test("refuses entities, of its own and of others, before they grow")
  func entities() {
    let laughs = (1...30).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
    let text = "<!DOCTYPE VAST [<!ENTITY a0 \"ha\">\(laughs)]><VAST version=\"3.0\"><Error>&a30;</Error></VAST>"
    #expect(throws: VASTParseError.self) { try Documents.parse(text) }
    let external =
      "<!DOCTYPE VAST [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><VAST version=\"3.0\"><Error>&x;</Error></VAST>"
    #expect(throws: VASTParseError.self) { try Documents.parse(external) }
  }

  @Test("refuses a document that nests without end")
  func nesting() {
    let text = "<VAST version=\"3.0\">" + String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
    #expect { try Documents.parse(text + "</VAST>") } throws: { error in
      (error as? VASTParseError)?.reason == "more than 64 elements in each other"
    }
  }
}
