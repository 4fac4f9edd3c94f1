import Feed
import Testing

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
