import Core
import Pixels
import RenderModel
import Testing

@testable import Gameplay

@Suite("Playing by pictures")
struct GamePlayerTests {
  /// Game of coloured rectangles on a screen of 360 × 720 dip.
  private static let frame = Rect(x: 0, y: 0, width: 360, height: 720)

  private static func scene(_ parts: [(Rect, Color)], ground: Color = Color(rgb: 0x202020)) throws -> Scene {
    var picture = Bitmap(width: 720, height: 1_440, fill: ground)
    for (rect, color) in parts {
      let pixel = { (dip: Double) in Bounded.int(dip * 2, in: 0...1_440) }
      for y in pixel(rect.y)..<pixel(rect.maxY) {
        for x in pixel(rect.x)..<pixel(rect.maxX) { picture.pixels[y * 720 + x] = color.premultiplied }
      }
    }
    return try #require(Scene(picture, frame: frame))
  }

  private static func tapped(_ idea: Idea?) -> Point? {
    guard case .tap(.point(let point)) = idea?.action else { return nil }
    return point
  }

  @Test("a scene's cells lie where the picture shows them")
  func cells() throws {
    let scene = try Self.scene([(Rect(x: 120, y: 240, width: 12, height: 12), Color(rgb: 0xFF0000))])
    #expect((scene.columns, scene.rows) == (30, 60))
    let red = scene.cells.indices.filter { scene.cells[$0].saturation > 200 }
    #expect(
      red.map { scene.point(column: Double(scene.place(of: $0).column), row: Double(scene.place(of: $0).row)) }
        == [Point(x: 120, y: 240)])
  }

  @Test(
    "a picture or frame too small for a cell is no scene",
    arguments: [
      (0.0, 720.0), (11, 720), (360, 5), (.nan, 720), (.infinity, 5),
    ])
  func tiny(width: Double, height: Double) {
    let picture = Bitmap(width: 100, height: 100, fill: .black)
    #expect(Scene(picture, frame: Rect(x: 0, y: 0, width: width, height: height)) == nil)
    #expect(Scene(Bitmap(width: 0, height: 0, pixels: []), frame: Self.frame) == nil)
  }

  @Test("what pulses is touched first")
  func pulse() throws {
    let button = Rect(x: 48, y: 120, width: 96, height: 48)
    let still = (Rect(x: 204, y: 480, width: 120, height: 60), Color(rgb: 0x00C000))
    let looks = try [0xFF0000, 0x900000, 0xFF0000].map { try Self.scene([(button, Color(rgb: UInt32($0))), still]) }
    var player = GamePlayer(seed: 1)
    let point = try #require(Self.tapped(player.nextMove(looks)))
    #expect(button.contains(point))
  }

  @Test("the way of what moves along is dragged along")
  func hand() throws {
    let looks = try [60.0, 90, 120, 150, 180, 210].map {
      try Self.scene([(Rect(x: $0, y: 360, width: 36, height: 36), Color(rgb: 0xFFFFFF))])
    }
    var player = GamePlayer(seed: 1)
    guard case .swipe(.point(let from), .point(let to))? = player.nextMove(looks)?.action else {
      Issue.record("no drag")
      return
    }
    #expect(from.x < 110 && to.x > 220 && abs(from.y - 378) < 20 && abs(to.y - 378) < 20)
  }

  @Test("a move without effect gives way to others, one with an effect is made again")
  func learns() throws {
    let one = Rect(x: 24, y: 480, width: 120, height: 60)
    let other = Rect(x: 216, y: 480, width: 120, height: 60)
    let look = try Self.scene([(one, Color(rgb: 0xE00000)), (other, Color(rgb: 0x00A000))])
    let after = try Self.scene([
      (one, Color(rgb: 0xE00000)), (other, Color(rgb: 0x00A000)),
      (Rect(x: 120, y: 60, width: 96, height: 48), Color(rgb: 0xFFFFFF)),
    ])
    var player = GamePlayer(seed: 1)
    var points: [Point] = []
    for _ in 0..<12 {
      let idea = player.nextMove([look, look, look])
      guard let point = Self.tapped(idea) else {
        _ = player.noteEffect(in: look)
        continue
      }
      points.append(point)
      #expect(player.noteEffect(in: other.contains(point) ? after : look) == other.contains(point))
    }
    #expect(Set(points).count > 1)
    #expect(points.suffix(3).allSatisfy(other.contains))
    #expect(player.scenes == 1)
    #expect(player.effects >= 3)
  }

  @Test("its own motion is no effect of a touch")
  func ownMotion() throws {
    let place = Rect(x: 48, y: 120, width: 96, height: 48)
    let looks = try [0xFF0000, 0x0000FF, 0xFF0000].map { try Self.scene([(place, Color(rgb: UInt32($0)))]) }
    var player = GamePlayer(seed: 1)
    _ = player.nextMove(looks)
    #expect(player.noteEffect(in: looks[1]) == false)
    #expect(player.noteEffect(in: looks[1]) == nil)
  }

  @Test("the same pictures lead to the same moves, and another seed to others")
  func repeatable() throws {
    let parts = (0..<6).map { number in
      (
        Rect(x: Double(number % 3) * 110 + 12, y: Double(number / 3) * 200 + 120, width: 60, height: 60),
        Color(rgb: [0xE00000, 0x00A000, 0x2020F0][number % 3])
      )
    }
    let look = try Self.scene(parts)
    let moves = { (seed: Int) in
      var player = GamePlayer(seed: seed)
      return (0..<20).compactMap { _ -> Scenario.Action? in
        defer { _ = player.noteEffect(in: look) }
        return player.nextMove([look, look, look])?.action
      }
    }
    #expect(moves(1) == moves(1))
    #expect(moves(2) == moves(2))
    #expect(moves(1) != moves(2))
    #expect(moves(1).count == 20)
  }

  @Test("without pictures there is no move, and endlessly new scenes are bounded")
  func bounds() throws {
    var player = GamePlayer(seed: 1)
    #expect(player.nextMove([]) == nil)
    for number in 0..<150 {
      let ground = Color(red: UInt8(number), green: UInt8(number * 7 % 256), blue: UInt8(number * 31 % 256))
      _ = player.nextMove([try Self.scene([], ground: ground)])
      _ = player.noteEffect(in: try Self.scene([], ground: ground))
    }
    #expect(player.scenes == 60)
  }
}
