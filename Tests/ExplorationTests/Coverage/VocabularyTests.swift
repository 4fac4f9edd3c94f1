import Exploration
import Testing

@Suite("The methods a creative's files name")
struct VocabularyTests {
  @Test(
    "are those of MRAID's object, whatever it is called",
    arguments: [
      ("mraid.expand()", ["expand"]), ("mraid . open ('x')", ["open"]), ("mraid['resize']()", ["resize"]),
      ("var bridge = window.mraid; bridge.close(); bridge?.open('x')", ["close", "open"]),
      ("const m = mraid\nm.addEventListener('ready', f)", ["addEventListener"]),
      // Nothing else has a getMaxSize, so the owner doesn't matter.
      ("function f(host) { host.getMaxSize() } f(mraid)", ["getMaxSize"]),
      // Everything has an open.
      ("mraid.getState(); window.open('x'); dialog.close(); el.addEventListener('click', f)", ["getState"]),
      ("const state = mraid.getState(); state.open()", ["getState"]),
      ("expand(); thing.expand()", []), ("mraid.nonsense(); mraid.expander()", []),
    ])
  func named(text: String, methods: [String]) {
    var vocabulary = Vocabulary()
    vocabulary.read(text)
    #expect(vocabulary.named.sorted() == methods)
  }

  @Test("add up over files")
  func several() {
    var vocabulary = Vocabulary()
    vocabulary.read("mraid.expand()")
    vocabulary.read("mraid.resize()")
    #expect(vocabulary.named == ["expand", "resize"])
  }

  @Test("are looked for in the documents and scripts they mention")
  func references() {
    let text = #"<script src="js/ad.js?v=2"></script> mraid.expand('part2.html'); import("./m.mjs") "a.png" 'x.json'"#
    #expect(Vocabulary.references(in: text) == ["js/ad.js", "part2.html", "./m.mjs"])
  }
}
