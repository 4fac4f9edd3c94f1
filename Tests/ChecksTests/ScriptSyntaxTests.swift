import Core
import Testing

@testable import Checks

@Suite("Syntax of scripts")
struct ScriptSyntaxTests {
  private static func editions(_ code: String, path: String = "a.js") -> [Int] {
    ScriptSyntax.features(in: SourceText(path: path, text: code)).map(\.feature.edition)
  }

  @Test(
    "has the edition that it came with",
    arguments: [
      ("x => 1", [2015]), ("let a = 1", [2015]), ("const {b} = c", [2015]), ("class A {}", [2015]), ("`a`", [2015]),
      ("a ** b", [2016]), ("async function f() {}", [2017]), ("b = {...a}", [2018]), ("try {} catch {}", [2019]),
      ("a?.b", [2020]), ("a?.[0]", [2020]), ("a ?? b", [2020]), ("10n", [2020]), ("globalThis.a = 1", [2020]),
      ("a ??= b", [2021]), ("a ||= b", [2021]), ("1_000", [2021]), ("this.#a", [2022]), ("static {}", [2022]),
      ("`${a?.b}`", [2015, 2020]), ("`${{a: `${b ?? c}`}}`; d", [2015, 2020]), ("a = b / c; d ?? e / f", [2020]),
      ("return /a/.test(b) ?? c", [2020]), ("f(a) / 2; g(b)?.c", [2020]),
    ])
  func editions(code: String, editions: [Int]) { #expect(Self.editions(code) == editions) }

  @Test(
    "isn't found in texts, patterns and comments, nor in code that looks alike",
    arguments: [
      "'a?.b' + \"c ?? d\"", "/a?.b/.test(c)", "a = /[/]?.b??/", "/* a => b */ // let c\nd", "a ? .5 : 1", "a?.5:1",
      "a.let = b.class", "a = {let: 1}", "catch_ (e)", "f(...a)", "a * b", "a || b && c", "try {} catch (e) {}",
      "a = '\\'?.b'", "'#a'", "x.async = true", "if (typeof globalThis !== 'undefined') globalThis.a = 1",
      "window.globalThis=window.globalThis||window; globalThis.a = 1",
    ])
  func plain(code: String) { #expect(Self.editions(code) == []) }

  @Test(
    "has script elements that are found as a browser finds them",
    arguments: [
      ("<SCRIPT TYPE='Module'>a</Script >", [":module:a"]), ("<scripts>a</scripts>", []), ("<script>a", ["::a"]),
      ("<script>'<script>b'</script><script src=x>c</script>", ["::'<script>b'", "::c"]), ("<script", []),
      ("<script type = text/plain>a</script>", [":text/plain:a"]), ("<script data-a='>' >b</script>", ["::b"]),
      ("<script type>a</script><script/type=module>b</script>", ["::a", ":module:b"]), ("<script a='", []),
    ])
  func elements(page: String, elements: [String]) {
    let bytes = Array(page.utf8)
    let found = ScriptElement.all(in: bytes)
    #expect(found.map { ":\($0.type):" + String(decoding: bytes[$0.content], as: UTF8.self) } == elements)
  }

  /// Reads a script in which each slash might begin a pattern that never ends.
  @Test("is found in a script made to be slow", arguments: ["(/[", "(/", "`${", "(/\\", "<script ", "/*", "a  "])
  func slow(piece: String) {
    let code = String(repeating: piece, count: 300_000)
    let time = ContinuousClock().measure { _ = Self.editions(code) }
    #expect(time < .seconds(60), "\(piece)")
  }

  @Test("is found behind slashes that begin no pattern")
  func stray() { #expect(Self.editions("(/[\n(/[\na => b") == [2015]) }

  @Test("in a page is that of the scripts that run")
  func pages() {
    let page = """
      <p>a?.b let c</p><style>a => b</style><script type="application/json">{"a": "`"}</script>
      <script type="text/javascript" data-x>var a = 1</script><script>b ?? c</script>
      """
    #expect(Self.editions(page, path: "index.html") == [2020])
    #expect(Self.editions("a => b", path: "a.css") == [])
  }
}
