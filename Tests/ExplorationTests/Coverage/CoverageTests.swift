import Exploration
import Jobs
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
    let explorer = FakeCreative(rooms: ["start": FakeCreative.Room()]).explored(placement: .interstitial)
    let interstitial = explorer.exploration(placement: Placement(kind: .interstitial), vocabulary: nil)
    #expect(rows(interstitial.coverage.transitions) == ["default → hidden 0", "loading → default 1"])
  }

  @Test("of nothing to reach is complete")
  func nothing() {
    let found = FakeCreative(rooms: ["start": FakeCreative.Room()]).exploration(files: "")
    #expect(found.coverage.percent == 100)
  }
}
