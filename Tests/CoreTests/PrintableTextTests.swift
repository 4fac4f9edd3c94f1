import Foundation
import Testing

@testable import Core

@Suite("A foreign text on one line")
struct PrintableTextTests {
  @Test("has neither line breaks nor control characters")
  func controls() {
    #expect("one\ntwo\r\nthree\u{85}four\u{2028}five\u{2029}six".printable == "one two  three four five six")
    #expect("a\u{1B}[2Jb\u{9B}31mc\u{7}\u{0}\u{7F}d".printable == "a [2Jb 31mc   d")
  }

  @Test("has nothing unseen that turns or hides its neighbours")
  func formats() {
    #expect("a\u{202E}b\u{2066}c\u{2069}d\u{200F}e\u{FEFF}f\u{200B}g\u{E0041}h\u{AD}i".printable == "abcdefghi")
    #expect(
      "👩\u{200D}👧 نمی\u{200C}خواهم".printable == "👩\u{200D}👧 نمی\u{200C}خواهم", "words of some scripts, and emoji")
  }

  @Test(
    "is no command of a build server",
    arguments: [
      ("::stop-commands::t", ": :stop-commands::t"), ("  ::error::x", "  : :error::x"),
      ("\u{A0}\n::error::x", "\u{A0} : :error::x"), (":\u{200B}:error::x", ": :error::x"),
      ("a ##vso[task.setvariable variable=A]b", "a # #vso[task.setvariable variable=A]b"),
      ("##[error]x", "# #[error]x"), ("#\u{200B}#teamcity[x]", "# #teamcity[x]"), ("####VSO[x]", "### #VSO[x]"),
    ])
  func commands(text: String, expected: String) {
    #expect(text.printable == expected)
    #expect(text.printable.printable == expected)
  }

  @Test("stays what it is where that does no harm")
  func harmless() {
    for text in ["", "a::b", "  x", "#1 ## 2", "ключ → 鍵", "e\u{301}", "C#[1]", "a: b"] {
      #expect(text.printable == text)
    }
  }

  @Test("is cut where it is very long")
  func length() {
    let long = String(repeating: "x", count: 100_000)
    #expect(long.printable.count == PrintableText.limit && long.printable.hasSuffix("x…"))
    #expect("abcdef".printable(limit: 4) == "abc…" && "abcd".printable(limit: 4) == "abcd")
    #expect(("e" + String(repeating: "\u{301}", count: 100_000)).printable.unicodeScalars.count == PrintableText.limit)
  }

  @Test("an output keeps its lines, and a terminal's own colours, and loses the rest")
  func outputs() {
    let hostile = "a\n::error::x\n\u{1B}[32mok\u{1B}[0m\u{1B}]0;t\u{7}\u{1B}[2Jb\r\u{202E}c\n"
    #expect(PrintableText.output(hostile, colours: false) == "a\n: :error::x\n [32mok [0m ]0;t  [2Jb c\n")
    #expect(
      PrintableText.output(hostile, colours: true)
        == "a\n: :error::x\n\u{1B}[32mok\u{1B}[0m ]0;t  [2Jb\rc\n")
    #expect(PrintableText.output("\u{1B}[2A\r\u{1B}[Jx\n", colours: true) == "\u{1B}[2A\r\u{1B}[Jx\n")
  }

  @Test("JSON decodes to the same value and has nothing in it that anybody would carry out")
  func json() throws {
    let text = "a\u{7F}\u{9B}\u{202E}\u{2028}\u{E0041}##vso[x]##[y] 👩\u{200D}👧 # ü\u{1B}\n::error::x"
    let data = try JSONEncoder().encode([text])
    let safe = PrintableText.json(String(decoding: data, as: UTF8.self))
    #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == [text])
    #expect(!safe.contains("##") && safe.contains("ü") && safe.contains("👩\u{200D}👧"))
    #expect(safe.unicodeScalars.allSatisfy { !$0.isUnprintable || $0 == "\u{200D}" })
  }
}
