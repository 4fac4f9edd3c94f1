internal import Core

/// Result of playing a game that is drawn on a canvas: the moves, and how far they led.
package struct PlayedGame: Hashable, Sendable, Codable {
  /// Furthest point that the moves reached, in the order of a game.
  package enum Goal: String, Sendable, Codable, CaseIterable, Comparable {
    /// No touch changed the picture.
    case nothing
    /// A touch changed the picture.
    case touch
    /// Touches led to pictures that are unlike the first one.
    case progress
    /// The game told its network that it has ended.
    case end
    /// The ad asked to open the store or another address.
    case store

    package static func < (one: Goal, other: Goal) -> Bool { one.rank < other.rank }
    private var rank: Int { Goal.allCases.firstIndex(of: self) ?? 0 }
  }

  /// A touch, and the reason for it.
  package struct Move: Hashable, Sendable, Codable {
    /// Tap, press or swipe at points of the screen.
    package var action: Scenario.Action
    /// Reason in a few words, such as `something moves here`.
    package var reason: String
    /// Seconds of the page's time from the first look to the touch.
    package var time: Double
    /// Indicates if the picture changed by more than its own motion afterwards.
    package var hadEffect: Bool

    package init(action: Scenario.Action, reason: String, time: Double, hadEffect: Bool = false) {
      (self.action, self.reason, self.time, self.hadEffect) = (action, reason, time, hadEffect)
    }
  }

  package var seed: Int
  package var goal: Goal
  package var moves: [Move]
  /// Number of pictures that are unlike each other.
  package var scenes: Int
  /// Seconds of the page's time that it was played.
  package var seconds: Double
  /// True if it wasn't played further because the render's time on the machine was nearly over.
  package var isCut = false
  /// Steps that repeat the moves, with the waits between them.
  package var steps: [Scenario.Action]

  package init(seed: Int, goal: Goal, moves: [Move], scenes: Int, seconds: Double, steps: [Scenario.Action]) {
    (self.seed, self.goal, self.moves, self.scenes) = (seed, goal, moves, scenes)
    (self.seconds, self.steps) = (seconds, steps)
  }
}

extension PlayedGame {
  /// Adds a step that was performed; waits that follow each other become one.
  package mutating func add(_ step: Scenario.Action) {
    if case .wait(let wait) = step, case .seconds(let seconds) = wait.condition, case .wait(let last)? = steps.last,
      case .seconds(let before) = last.condition
    {
      let sum = ((before + seconds) * 1_000).rounded() / 1_000
      steps[steps.count - 1] = .wait(Scenario.WaitCondition(.seconds(sum)))
    } else {
      steps.append(step)
    }
  }
}

/// Limits for playing a game once, and the number that decides between moves of equal promise.
package struct GameBudget: Hashable, Sendable, Codable {
  /// Seconds of the page's time, from 1 to 600.
  package var seconds: Double
  /// Number of moves, from 1 to 1,000.
  package var moves: Int
  package var seed: Int

  package init(seconds: Double = 45, moves: Int = 60, seed: Int = 1) {
    (self.seconds, self.moves, self.seed) = (seconds, moves, seed)
  }
}
