import Jobs
import MRAID
import Testing

@Suite("A swipe over something")
struct SwipeDirectionTests {
  @Test(
    "goes through its middle and leaves out both ends",
    arguments: [
      (SwipeDirection.left, Point(x: 95, y: 60), Point(x: 25, y: 60)),
      (.right, Point(x: 25, y: 60), Point(x: 95, y: 60)), (.up, Point(x: 60, y: 77), Point(x: 60, y: 43)),
      (.down, Point(x: 60, y: 43), Point(x: 60, y: 77)),
    ])
  func paths(direction: SwipeDirection, from: Point, to: Point) {
    let path = direction.path(over: Rect(x: 10, y: 35.714_285_714_285_715, width: 100, height: 48.571_428_571_428_57))
    #expect(abs(path.from.x - from.x) < 0.001 && abs(path.from.y - from.y) < 0.001)
    #expect(abs(path.to.x - to.x) < 0.001 && abs(path.to.y - to.y) < 0.001)
  }
}
