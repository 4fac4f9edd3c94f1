import MRAID
import Testing

@testable import Bundles

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
