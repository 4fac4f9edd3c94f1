import Exploration
import RenderModel
import Testing

@Suite("Coverage")
struct CoverageTests {
  private func rows(_ part: CoveragePart) -> [String] { part.rows.map { "\($0.name) \($0.count)" } }

  @Test("counts each call and change of state where it was new, not where a way to it was replayed")
  func counts() {
    let found = FakeCreative.menu.exploration(files: "mraid.open(); mraid.expand()")
    #expect(rows(found.coverage.calls) == ["expand 0", "open 1"])
    #expect(
      rows(found.coverage.transitions) == ["default → expanded 1", "expanded → default 2", "loading → default 1"])
    #expect(found.coverage.percent == 80)
  }

  @Test("knows from the methods named which changes the standard allows")
  func reachable() {
    let found = FakeCreative(rooms: ["start": FakeCreative.Room()]).exploration(files: "mraid.resize(); mraid.expand()")
    #expect(
      rows(found.coverage.transitions) == [
        "default → expanded 0", "default → resized 0", "expanded → default 0", "loading → default 1",
        "resized → default 0", "resized → expanded 0",
      ])
    let crawler = FakeCreative(rooms: ["start": FakeCreative.Room()]).explored(placement: .interstitial)
    let interstitial = crawler.exploration(placement: Placement(kind: .interstitial), vocabulary: nil)
    #expect(rows(interstitial.coverage.transitions) == ["default → hidden 0", "loading → default 1"])
  }

  @Test("of nothing to reach is complete")
  func nothing() {
    let found = FakeCreative(rooms: ["start": FakeCreative.Room()]).exploration(files: "")
    #expect(found.coverage.percent == 100)
  }
}

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
    var vocabulary = MRAIDUsage()
    vocabulary.read(text)
    #expect(vocabulary.named.sorted() == methods)
  }

  @Test("add up over files")
  func several() {
    var vocabulary = MRAIDUsage()
    vocabulary.read("mraid.expand()")
    vocabulary.read("mraid.resize()")
    #expect(vocabulary.named == ["expand", "resize"])
  }

  @Test("are looked for in the documents and scripts they mention")
  func references() {
    let text = #"<script src="js/ad.js?v=2"></script> mraid.expand('part2.html'); import("./m.mjs") "a.png" 'x.json'"#
    #expect(MRAIDUsage.references(in: text) == ["js/ad.js", "part2.html", "./m.mjs"])
  }
}
