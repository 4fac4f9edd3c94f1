import Jobs
import Testing

@Suite("Captures")
struct CapturesTests {
  @Test("are due in order, pictures and frames of one instant together")
  func moments() {
    let captures = Captures(instants: [2, 0, 0.75], filmstrip: .init(interval: 0.5, length: 1))
    #expect(captures.moments.map(\.seconds) == [0, 0.5, 0.75, 1, 2])
    #expect(captures.moments.map(\.isPicture) == [true, false, true, false, true])
    #expect(captures.moments.map(\.isFrame) == [true, true, false, true, false])
    #expect(captures.end == 2)
  }

  @Test("of nothing have no moments")
  func empty() {
    #expect(Captures().isEmpty)
    #expect(Captures().moments.isEmpty)
    #expect(Captures().end == 0)
  }

  @Test(
    "have a last frame however the interval divides the length",
    arguments: [
      (0.1, 1.0, 11), (0.3, 1, 4), (0.5, 15, 31), (1, 1, 2), (0.1, 300, 240),
    ])
  func frames(interval: Double, length: Double, count: Int) {
    #expect(Captures.Filmstrip(interval: interval, length: length).instants.count == count)
  }
}
