import Core
import Testing

@Suite("Text as markup")
struct MarkupTests {
  @Test("is escaped wherever it stands in a literal; markup stays what it is")
  func interpolation() {
    let name = "<b>&\"'"
    let inner: Markup = "<i>\(name)</i>"
    #expect(inner.text == "<i>&lt;b&gt;&amp;&quot;&#39;</i>")
    #expect(("<p>\(inner) \(3)</p>" as Markup).text == "<p><i>&lt;b&gt;&amp;&quot;&#39;</i> 3</p>")
    #expect(Markup(joining: ["<a>", "<b>"], separator: ", ").text == "<a>, <b>")
    #expect(Markup(raw: name).text == name)
  }

  @Test("gives no command to a build server, and a quote with an accent is still a quote")
  func commands() {
    #expect(MarkupText.html("##vso[x]b #1") == "#&#35;vso[x]b #1")
    #expect(MarkupText.html("::set-output") == ":&#58;set-output")
    #expect(MarkupText.html("\"\u{301}") == "&quot;\u{301}")
  }

  @Test("keeps apostrophes in XML")
  func xml() {
    #expect(MarkupText.xml("<a b='c' d=\"e\">&") == "&lt;a b='c' d=&quot;e&quot;&gt;&amp;")
  }
}
