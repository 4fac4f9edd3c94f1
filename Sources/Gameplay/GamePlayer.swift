internal import Core
internal import RenderModel

/// Chooses moves in a game by its pictures; a value that neither renders nor touches anything.
///
/// The same pictures lead to the same moves. A move that had an effect is repeated, in other scenes too; one that had
/// none is tried less and less.
package struct GamePlayer: Sendable {
  /// Scene that was met, with the cells that move in it by themselves and the moves tried in it.
  private struct Known: Sendable {
    var picture: Scene
    var moving: Set<Int>
    /// Cells that moved, without those around them.
    var moved: Set<Int> = []
    /// Number of moves without an effect, by their reason.
    var failures: [String: Int] = [:]
    var tries: [Scenario.Action: Int] = [:]
  }

  private let seed: Int
  private var known: [Known] = []
  /// Number of times that moves had an effect and hadn't, by their kind and place.
  private var successes: [Kind: Int] = [:]
  private var failures: [Kind: Int] = [:]
  private var last: (known: Int, idea: Idea, before: Scene, moving: Set<Int>)?
  /// Number of the moves that had an effect.
  package private(set) var effects = 0

  /// Maximum number of scenes that are told apart.
  private static let mostScenes = 60
  /// Share of the cells by which two pictures of one scene may differ, besides those that move by themselves.
  private static let sameScene = 0.12
  /// Share of the cells, besides those that move by themselves, that a move with an effect changes.
  private static let leastEffect = 0.004

  /// Creates a player; the seed varies the order of moves of similar promise.
  package init(seed: Int) { self.seed = seed }

  /// Number of scenes that are unlike each other.
  package var scenes: Int { known.count }

  /// Returns the next move; `looks` are pictures taken at equal distances in time, the latest last.
  ///
  /// Returns nil without pictures.
  package mutating func nextMove(_ looks: [Scene]) -> Idea? {
    guard let scene = looks.last else { return nil }
    let moved = Self.motion(in: looks)
    let moving = scene.surroundings(of: moved)
    let number = number(of: scene, moving: moving)
    known[number].moved.formUnion(moved)
    let ideas = IdeaFinder(looks: looks, everMoved: known[number].moved).ideas()
    guard let idea = choose(among: ideas, in: number) else { return nil }
    known[number].tries[idea.action, default: 0] += 1
    last = (number, idea, scene, moving)
    return idea
  }

  /// Notes if the last move changed the picture; returns nil if there was no move.
  package mutating func noteEffect(in scene: Scene) -> Bool? {
    guard let move = last else { return nil }
    last = nil
    let changed = scene.changes(from: move.before).subtracting(move.moving)
    let hadEffect = Double(changed.count) > Self.leastEffect * Double(scene.count)
    let kind = Kind(move.idea.action)
    if hadEffect {
      successes[kind, default: 0] += 1
      effects += 1
    } else {
      failures[kind, default: 0] += 1
      known[move.known].failures[move.idea.reason, default: 0] += 1
    }
    return hadEffect
  }

  /// Returns the cells that change from picture to picture.
  private static func motion(in looks: [Scene]) -> Set<Int> {
    zip(looks.dropFirst(), looks).reduce(into: []) { $0.formUnion($1.0.changes(from: $1.1)) }
  }

  /// Returns the number of the scene, which is a new one if it is unlike all others.
  private mutating func number(of scene: Scene, moving: Set<Int>) -> Int {
    let differences = known.map { other in
      Double(scene.changes(from: other.picture).subtracting(moving).subtracting(other.moving).count)
    }
    let nearest = differences.indices.min { differences[$0] < differences[$1] }
    if let nearest, differences[nearest] <= Self.sameScene * Double(scene.count) || known.count >= Self.mostScenes {
      known[nearest].moving.formUnion(moving)
      return nearest
    }
    known.append(Known(picture: scene, moving: moving))
    return known.count - 1
  }

  private func choose(among ideas: [Idea], in number: Int) -> Idea? {
    let (tries, failed) = (known[number].tries, known[number].failures)
    let rated = ideas.enumerated().map { rank, idea in
      let kind = Kind(idea.action)
      let (good, bad) = (Double(min(successes[kind] ?? 0, 8)), Double(failures[kind] ?? 0))
      let learnt = (1 + 1.5 * good) / (1 + good + bad)
      let repeated = 1 / (1 + 0.6 * Double(tries[idea.action] ?? 0) + 0.2 * Double(failed[idea.reason] ?? 0))
      return (rank, idea, idea.promise * learnt * repeated * variation(rank))
    }
    return rated.max { ($0.2, $1.0) < ($1.2, $0.0) }?.1
  }

  /// Factor around 1 by which the seed varies the promise; 1 for the first seed.
  private func variation(_ rank: Int) -> Double {
    guard seed > 1 else { return 1 }
    let place = UInt64(truncatingIfNeeded: rank) &* 0xBF58_476D_1CE4_E5B9
    var bits = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ place
    bits = (bits ^ bits >> 30) &* 0x94D0_49BB_1331_11EB
    return 0.6 + 0.8 * Double(bits >> 40) / Double(1 << 24)
  }
}

extension GamePlayer {
  /// Kind of a move and its place, in squares of the screen.
  private struct Kind: Hashable, Sendable {
    let name: String
    let column: Int
    let row: Int

    /// Edge of a square in dip.
    private static let square = 60.0

    init(_ action: Scenario.Action) {
      switch action {
      case .tap(.point(let point)): self.init("tap", point)
      case .press(.point(let point), _): self.init("press", point)
      case .swipe(.point(let from), .point(let to)):
        let isAcross = abs(from.x - to.x) > abs(from.y - to.y)
        self.init((isAcross ? from.x < to.x : from.y < to.y) ? "swipe \(isAcross) on" : "swipe \(isAcross) back", from)
      default: self.init("other", .zero)
      }
    }

    private init(_ name: String, _ point: Point) {
      self.name = name
      column = Bounded.int(point.x / Self.square, in: -1_000...1_000, rounding: .down)
      row = Bounded.int(point.y / Self.square, in: -1_000...1_000, rounding: .down)
    }
  }
}
