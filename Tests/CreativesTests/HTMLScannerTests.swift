import Core
import Testing

@testable import Creatives

struct HTMLScannerTests {
  private func tokens(_ text: String) -> [HTMLScanner.Token] {
    var scanner = HTMLScanner(Array(text.utf8))
    var tokens: [HTMLScanner.Token] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }

  private func tag(_ name: String, _ attributes: [String: String] = [:], text: String? = nil) -> HTMLScanner.Token {
    .tag(HTMLScanner.Tag(name: name, attributes: attributes, text: text))
  }

  @Test func attributesAreReadInEveryQuoting() {
    #expect(
      tokens(#"<META a=1 b='2 "x' c = "3>" D e/ f=g/h a=9>"#) == [
        tag("meta", ["a": "1", "b": "2 \"x", "c": "3>", "d": "", "e": "", "f": "g/h"])
      ])
  }

  @Test func commentsAndRawTextHideTags() {
    let text = """
      <!-- <html> --><!--><b><!---><i><script>"<body>" </scripty> </SCRIPT ><style><head></style>\
      <textarea><html></textarea><noscript><body></noscript></html><?xml <p?><u><![CDATA[<s>]]>
      """
    let names = tokens(text).map { if case .tag(let tag) = $0 { tag.name } else { "doctype" } }
    #expect(names == ["b", "i", "script", "style", "textarea", "noscript", "u"])
  }

  @Test func doctypeIsSeenInAnyCase() {
    #expect(tokens("<!DocType html PUBLIC \"x\"><!element>") == [.doctype])
  }

  @Test func titleKeepsItsText() {
    #expect(tokens("<title>a <b>&amp;</title>") == [tag("title", text: "a <b>&amp;")])
    #expect(tokens("<title>open") == [tag("title", text: "open")])
  }

  @Test(arguments: [
    "<", "<b", "<b a", "<b a=", "<b a='", "<!", "<!-", "<!--", "<!--x--", "</", "</b", "<?", "< b>", "<3", "<script",
    "",
  ])
  func unfinishedMarkupIsTheEnd(text: String) {
    #expect(tokens(text) == [])
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["<!--", "<a<", "<a b='", "</", "<script><", "<!---", "<a b=c ", "<title>", "<!--!"])
  func repeatedOpeningsTakeLinearTime(text: String) {
    #expect(tokens(String(repeating: text, count: 500_000 / text.utf8.count)).count <= 1)
  }

  @Test(arguments: [
    ("<html>", true), (" \n<!-- x --><HTML lang=en>", true), ("<!DOCTYPE html><p>", true), ("<p><body>", true),
    ("<script src=mraid.js></script><head>", true), ("<?xml version='1.0'?><html>", true), ("<p>", false),
    ("<!-- <html> --><p>", false), ("<script>document.write('<html>')</script>", false), ("<p title='<body>'>", false),
    ("<header>", false), ("</html>", false), ("text", false), ("", false),
    ("<iframe srcdoc=\"<html>\"></iframe>", false),
  ])
  func documentsAreToldFromFragments(text: String, isDocument: Bool) {
    #expect(MarkupFragment.isDocument(Array(text.utf8)) == isDocument)
  }
}

@Suite struct MetaElementsTests {
  private func read(_ html: String) -> [String: String] { MetaElements.read(Array(html.utf8)) }

  @Test func readsNamesAndContents() {
    let html = "<meta name=Ad.Size content=' width=1 '><meta name=b content='x &amp; y'>"
    #expect(read(html) == ["ad.size": "width=1", "b": "x & y"])
  }

  @Test func keepsTheFirstOfEqualNames() {
    #expect(read("<meta name=a content=1><meta name=a content=2>") == ["a": "1"])
  }

  @Test func seesNoneInScriptsCommentsOrOtherElements() {
    #expect(read("<script>'<meta name=a content=1>'</script><!-- <meta name=b> --><p name=c content=2>") == [:])
    #expect(read("<meta charset=utf-8><meta name=d>") == ["d": ""])
  }
}

struct CreativeMetaTests {
  private func parse(_ html: String) -> CreativeMeta { .parse(Array(html.utf8)) }

  @Test(arguments: [
    #"<meta name="ad.size" content="width=320,height=50">"#, #"<META CONTENT='height=50, width=320' NAME='AD.SIZE'/>"#,
    #"<meta name=ad.size content=width=320,height=50>"#,
    #"<meta name=" ad.size " content=" width = 320 ; height = 50px ">"#,
    #"<meta name="ad.size" content="width='320',height='50'">"#,
    #"<meta name="ad.size" content="width=&quot;320&quot;,height=50">"#,
    #"<!-- <meta name="ad.size" content="width=1,height=1"> --><meta name="ad.size" content="width=320.0,height=50">"#,
    #"<meta name="ad.size" content="width=320,height=50"><meta name="ad.size" content="width=1,height=1">"#,
    #"<meta name="ad.size" content="wide"><meta name="ad.size" content="width=320,height=50,depth=3">"#,
  ])
  func sizeIsReadInEverySpelling(html: String) {
    #expect(parse(html).size == Size(width: 320, height: 50))
  }

  @Test(arguments: [
    "", "width=320", "width=100%,height=50", "width=0,height=50", "width=-1,height=50", "width=nan,height=50",
    "width=inf,height=50", "width=1e3,height=50", "width=10001,height=50", "width=,height=", "320x50",
    "width==3,height=50",
    "width=0x10,height=50", "width=1.2.3,height=50",
  ])
  func whatIsNoSizeIsNil(content: String) {
    #expect(parse("<meta name=ad.size content=\"\(content)\">").size == nil)
  }

  @Test(arguments: [
    ("portrait", [CreativeMeta.Orientation.portrait]), (" Landscape ", [.landscape]),
    ("portrait,landscape", [.portrait, .landscape]), ("any", []),
  ])
  func orientationsAreRead(content: String, orientations: [CreativeMeta.Orientation]) {
    #expect(parse("<meta name='ad.orientation' content='\(content)'>").orientations == Set(orientations))
  }

  @Test(arguments: [
    ("<title> A\n  b &amp; &lt;c&gt; &#xE9; &#8364; &bogus; & </title>", "A b & <c> é € &bogus; &"),
    ("<title></title>", nil), ("<title> </title><title>b</title>", "b"), ("<script>'<title>x</title>'</script>", nil),
    ("<title>a\u{1B}[2J\u{202E}b&#0;&#27;</title>", "a [2Jb"), ("<title>&#xD800;</title>", "&#xD800;"),
  ])
  func titleIsOneLineOfText(html: String, title: String?) {
    #expect(parse(html).title == title)
  }

  @Test func titleIsCut() {
    #expect(parse("<title>\(String(repeating: "x", count: 500))</title>").title?.count == 200)
  }

  @Test(arguments: [
    ("<meta charset=UTF-8>", "utf-8"), ("<meta charset=' Windows-1252 '>", "windows-1252"),
    ("<meta charset=utf-16>", "utf-8"),
    ("<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>", "shift_jis"),
    ("<meta content='charset=x'>", nil), ("<meta charset='a b'>", nil), ("<meta charset='x;y=\r\n'>", nil),
    ("<p>", nil),
  ])
  func charsetIsReadAsALabel(html: String, charset: String?) {
    #expect(parse(html).charset == charset)
  }

  @Test func onlyTheBeginningIsRead() {
    let title = "<title>x</title>"
    #expect(parse(String(repeating: " ", count: 65_536 - title.utf8.count) + title).title == "x")
    #expect(parse(String(repeating: " ", count: 65_536) + title).title == nil)
  }
}

@Suite("A document's viewport")
struct ViewportHintTests {
  private func viewport(_ html: String, path: String = "index.html") -> String? {
    BundleResource(path: path, bytes: Array(html.utf8)).viewport
  }

  @Test("is what its last element says")
  func last() {
    #expect(viewport("<meta name=viewport content='width=640'>") == "width=640")
    #expect(viewport("<META NAME=' Viewport ' CONTENT='width=640'><p>") == "width=640")
    #expect(viewport("<meta name=viewport content='width=1'><meta name=viewport content='width=2'>") == "width=2")
    #expect(viewport("<meta name=viewport content='width&#61;640'>") == "width=640")
  }

  @Test("isn't in scripts, comments, templates of no-script, or other files")
  func none() {
    let element = "<meta name=viewport content='width=640'>"
    #expect(viewport("<p>") == nil)
    #expect(viewport("<meta name=viewports content='width=640'>") == nil)
    #expect(viewport("<!-- \(element) --><script>'\(element)'</script><noscript>\(element)</noscript>") == nil)
    #expect(viewport(element, path: "a.txt") == nil)
    #expect(viewport("<meta name=viewport>") == "")
  }
}

@Suite("A hint at depth")
struct DepthHintTests {
  @Test(
    "is given by transforms in space and backdrop filters, anywhere in the text",
    arguments: [
      "a { transform: rotateY(3deg) }", "rotateX(", "backdrop-filter",
      "<p style='transform: matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,0,0,40,1)'>",
      "matrix3d(.5, 0, -0.866, 0, 0, 1, 0, 0, .866, 0, .5, 0, 0, 0, 0, 1)",
      "matrix3d(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1)",
      "-webkit-backdrop-filter: blur(2px)", "rrotate3d(1, 1, 0, 9deg)",
    ])
  func given(text: String) { #expect(DepthHint.isGiven(in: Array(text.utf8))) }

  @Test(
    "isn't given by what looks like it",
    arguments: [
      "", "r", "rotate(3deg)", "translate3d(0, 0, 0)", "perspective: 20px", "rotateY", "backdrop", "matrix3d(",
      "matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 9, 0, 1)", "matrix3d(1,0,0,0)",
      "matrix3d(1.3,0,0,0,0,1.3,0,0,0,0,1.3,0,0,0,0,1)", "matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,' + x + ',0,0,1)",
    ])
  func notGiven(text: String) { #expect(!DepthHint.isGiven(in: Array(text.utf8))) }
}

struct TextEncodingTests {
  @Test(arguments: [
    ([0x61, 0x62], nil), ([0x61, 0xE9, 0x62], 1), ([0xC3], 0), ([0x61, 0xED, 0xA0, 0x80], 1),
    ([0x61, 0x62, 0xC0, 0x80], 2),
    ([0xEF, 0xBB, 0xBF, 0xFF], 3), ([0xFF, 0xFE, 0x00, 0xD8], nil), ([], nil),
  ])
  func invalidBytesAreFoundByOffset(bytes: [UInt8], offset: Int?) {
    #expect(TextEncoding.undeclaredInvalidByte(in: bytes) == offset)
  }

  @Test func utf16IsConvertedAndBrokenUnitsReplaced() {
    #expect(TextEncoding.utf8([0xFF, 0xFE, 0x61, 0x00, 0xFC, 0x00]) == Array("aü".utf8))
    #expect(TextEncoding.utf8([0xFE, 0xFF, 0x00, 0x61, 0xD8, 0x00, 0x00]) == Array("a\u{FFFD}".utf8))
    #expect(TextEncoding.utf8([0xFF, 0xFE]) == [])
    #expect(TextEncoding.utf8([0xEF, 0xBB, 0xBF, 0x61]) == [0x61])
  }
}
