import Core
import Feed
import RenderModel
import Testing

@Suite struct AdCellStateTests {
  private var cell = AdCellState(rotation: 30)

  @Test mutating func `it loads when it comes near, once`() {
    #expect(cell.handle(.comesNear) == [.load])
    #expect(cell.isLoading)
    #expect(cell.handle(.comesNear) == [])
    #expect(cell.handle(.appears(at: 0)) == [])
  }

  @Test mutating func `it loads when it appears without having come near`() {
    #expect(cell.handle(.appears(at: 0)) == [.load])
  }

  @Test mutating func `loaded off screen it is shown, and its turn begins when it appears`() {
    _ = cell.handle(.comesNear)
    #expect(cell.handle(.loaded(at: 100)) == [.show])
    #expect(cell.handle(.appears(at: 5_000)) == [.startRotation(after: 30_000)])
  }

  @Test mutating func `a failure collapses it for good`() {
    _ = cell.handle(.comesNear)
    #expect(cell.handle(.failed) == [.collapse])
    #expect(cell.isCollapsed)
    #expect(cell.handle(.appears(at: 1)) == [] && cell.handle(.comesNear) == [])
    #expect(cell.handle(.loaded(at: 2)) == [])
  }

  @Test mutating func `its turn passes on the screen only`() {
    _ = cell.handle(.appears(at: 0))
    #expect(cell.handle(.loaded(at: 0)).last == .startRotation(after: 30_000))
    #expect(cell.handle(.willLeave(at: 20_000)) == [.stopRotation])
    #expect(cell.handle(.willLeave(at: 21_000)) == [])
    #expect(cell.handle(.appears(at: 500_000)) == [.startRotation(after: 10_000)])
    #expect(cell.handle(.rotationIsDue(at: 509_000)) == [])
    #expect(cell.handle(.rotationIsDue(at: 510_000)) == [.rotate, .startRotation(after: 30_000)])
  }

  @Test mutating func `a timer that comes after it left does nothing`() {
    _ = cell.handle(.appears(at: 0))
    _ = cell.handle(.loaded(at: 0))
    _ = cell.handle(.willLeave(at: 29_000))
    #expect(cell.handle(.rotationIsDue(at: 30_000)) == [])
  }

  @Test mutating func `an ad that is lost ends its turn and collapses its cell for good`() {
    #expect(cell.handle(.lost(at: 0)).isEmpty)
    _ = cell.handle(.appears(at: 0))
    _ = cell.handle(.loaded(at: 0))
    #expect(cell.handle(.lost(at: 5)) == [.stopRotation, .collapse])
    #expect(cell.isCollapsed)
    #expect(cell.handle(.appears(at: 6)).isEmpty)
    #expect(cell.handle(.rotationIsDue(at: 90_000)).isEmpty)
  }

  @Test func `without a rotation an ad stays`() {
    var cell = AdCellState(rotation: nil)
    _ = cell.handle(.appears(at: 0))
    #expect(cell.handle(.loaded(at: 0)) == [.show])
    #expect(cell.handle(.rotationIsDue(at: 90_000)) == [])
  }
}

@Suite struct AdShowingTests {
  private func log(_ lines: [(Event.Source, String, JSONValue)]) -> [Event] {
    lines.enumerated().map {
      Event(seq: $0.offset, t: 0, source: $0.element.0, name: $0.element.1, detail: $0.element.2)
    }
  }

  private func loading(_ ad: String, _ cell: String, _ creative: String) -> (Event.Source, String, JSONValue) {
    (.feed, "adLoading", ["ad": .string(ad), "cell": .string(cell), "creative": .string(creative)])
  }

  private func failed(_ ad: String) -> (Event.Source, String, JSONValue) {
    (.ad, "failedToLoad", ["ad": .string(ad), "error": "gone", "code": "ad-load-failed"])
  }

  @Test func `each ad has its own events, and nobody else's`() {
    let all = AdImpression.all(
      in: log([
        loading("creative-1", "ad-1", "one"), (.mraid, "ready", ["ad": "creative-1"]),
        loading("creative-2", "ad-2", "two"), (.page, "console", ["ad": "creative-2"]), (.host, "scroll", ["to": 5]),
        (.input, "tap", ["layer": "creative-1-player"]), (.input, "tap", ["layer": "creative-10"]),
      ]))
    #expect(all.map(\.ad) == ["creative-1", "creative-2"])
    #expect(all.map(\.cell) == ["ad-1", "ad-2"] && all.map(\.creative) == ["one", "two"])
    #expect(all.map { $0.events.map(\.name) } == [["adLoading", "ready", "tap"], ["adLoading", "console"]])
    #expect(all.allSatisfy { $0.end == .shown })
  }

  @Test func `pictures are those on which it can be seen`() {
    let all = AdImpression.all(
      in: log([
        loading("creative-1", "ad-1", "one"), (.host, "screenshot", ["name": "001", "ads": ["creative-1"]]),
        (.host, "screenshot", ["name": "002"]), (.host, "screenshot", ["name": "003", "ads": ["creative-2"]]),
      ]))
    #expect(all.map(\.pictures) == [["001"]])
  }

  @Test func `of several tries for one ad the last counts`() {
    let twice = AdImpression.all(
      in: log([
        loading("creative-1", "ad-1", "one"), failed("creative-1"), loading("creative-2", "ad-1", "one"),
        failed("creative-2"),
      ]))
    #expect(twice.map(\.ad) == ["creative-2"])
    #expect(twice.map(\.end) == [.failed(message: "gone", code: "ad-load-failed")])
  }

  @Test func `another creative in the same cell, and the same after it, are ads of their own`() {
    let all = AdImpression.all(
      in: log([
        loading("creative-1", "ad-1", "one"), failed("creative-1"), loading("creative-2", "ad-1", "two"),
        loading("creative-3", "ad-1", "one"),
      ]))
    #expect(all.map(\.ad) == ["creative-1", "creative-2", "creative-3"])
  }

  @Test func `an ad that was lost says how, also where that failed its load`() {
    let lost: (Event.Source, String, JSONValue) = (.feed, "adLost", ["ad": "creative-1", "reason": "unresponsive"])
    let shown = AdImpression.all(in: log([loading("creative-1", "ad-1", "one"), lost]))
    #expect(shown.map(\.end) == [.lost(reason: "unresponsive")])
    let coming = AdImpression.all(in: log([loading("creative-1", "ad-1", "one"), lost, failed("creative-1")]))
    #expect(coming.map(\.end) == [.failed(message: "gone", code: "ad-load-failed")])
  }
}

@Suite struct FeedGeometryTests {
  /// Cells of 100 dip each, named from `a`.
  private func geometry(_ heights: [(String, Double)]) -> FeedGeometry {
    var y = 0.0
    let cells = heights.map { id, height in
      defer { y += height }
      return FeedGeometry.Cell(id: id, y: y, height: height)
    }
    return FeedGeometry(height: y, cells: cells)
  }

  private var five: FeedGeometry { geometry(["a", "b", "c", "d", "e"].map { ($0, 100) }) }

  @Test func `cells in a window are those of which something shows`() {
    #expect(five.cells(from: 100, height: 150).map(\.id) == ["b", "c"])
    #expect(five.cells(from: 99, height: 1).map(\.id) == ["a"])
    #expect(five.cells(from: 100, height: 150, distance: 51).map(\.id) == ["a", "b", "c", "d"])
    #expect(geometry([("a", 0), ("b", 100)]).cells(from: 0, height: 50).map(\.id) == ["b"])
  }

  @Test func `an ad has left when its room has, though its cell's label still shows`() {
    let room = FeedGeometry.Room(x: 0, y: 140, width: 300, height: 60)
    let feed = FeedGeometry(height: 400, cells: [FeedGeometry.Cell(id: "ad", y: 100, height: 110, room: room)])
    #expect(feed.cells(from: 0, height: 130).map(\.id) == ["ad"])
    #expect(feed.cellsWithAd(from: 0, height: 130).isEmpty)
    #expect(feed.cellsWithAd(from: 0, height: 141).map(\.id) == ["ad"])
    #expect(feed.cellsWithAd(from: 200, height: 100).isEmpty)
  }

  @Test func `a cell that collapses above the window doesn't move what is seen`() {
    let after = geometry([("a", 0), ("b", 100), ("c", 100), ("d", 100), ("e", 100)])
    #expect(after.offset(keeping: 250, of: five) == 150)
  }

  @Test func `a cell that collapses in the window leaves what is above it in place`() {
    let after = geometry([("a", 100), ("b", 100), ("c", 0), ("d", 100), ("e", 100)])
    #expect(after.offset(keeping: 150, of: five) == 150)
  }

  @Test func `where the cell at the top collapses, the next one keeps its place`() {
    let after = geometry([("a", 100), ("b", 0), ("c", 100), ("d", 100), ("e", 100)])
    // c stood 50 below the window's top.
    #expect(after.offset(keeping: 150, of: five) == 50)
  }

  @Test func `a cell that grows above the window pushes nothing that is seen`() {
    let after = geometry([("a", 180), ("b", 100), ("c", 100), ("d", 100), ("e", 100)])
    #expect(after.offset(keeping: 100, of: five) == 180)
  }

  @Test func `offsets stay on the page`() {
    #expect(five.offset(nearest: 900, height: 200) == 300)
    #expect(five.offset(nearest: -5, height: 200) == 0)
    #expect(five.offset(nearest: 10, height: 900) == 0)
  }

  @Test func `a scroll passes its way in steps and ends at its goal`() {
    #expect(ScrollPath.offsets(from: 0, to: 100, step: 40) == [40, 80, 100])
    #expect(ScrollPath.offsets(from: 100, to: 20, step: 40) == [60, 20])
    #expect(ScrollPath.offsets(from: 5, to: 5, step: 40).isEmpty)
  }
}
