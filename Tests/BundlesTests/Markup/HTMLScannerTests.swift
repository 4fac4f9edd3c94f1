import Testing

@testable import Bundles

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
