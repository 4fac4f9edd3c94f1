internal import Core
internal import MRAID
package import RenderModel

/// Content of `exploration.json` (Schemas/exploration.schema.json); the same for a creative, except for `timings`.
package struct ExplorationDocument: Encodable, Sendable {
  let schema = Galley.schema
  let galley = Galley.version
  private let creative: RenderRecord.Creative
  private let device: RenderRecord.DeviceSummary
  private let placement: RenderRecord.PlacementSummary?
  private let budget: Budget
  /// Number of acts tried.
  private let actions: Int
  /// Part of the budget that ended it early; nil if none did.
  private let cut: Crawler.Cut?
  private let states: [State]
  private let paths: [Path]
  private let coverage: Coverage
  private let anomalies: [Odd]
  private let timings: [String: Double]

  struct Budget: Encodable, Sendable {
    let actions: Int
    let seconds: Double
  }

  /// Creates the document; `timings` are milliseconds: the wall clock's and the renders' own.
  package init(_ found: Exploration, record: RenderRecord, timings: [String: Double]) {
    creative = record.creative
    device = record.device
    placement = record.placement
    budget = Budget(actions: found.budget.actions, seconds: found.budget.seconds)
    actions = found.actions
    cut = found.cut
    states = found.states.map { State($0, in: found) }
    paths = found.edges.map { Path($0, in: found) }
    coverage = Coverage(found)
    anomalies = found.anomalies.map { Odd($0, in: found) }
    self.timings = timings
  }
}

extension ExplorationDocument {
  /// A state, its screenshot, and the path to it.
  package struct State: Encodable, Sendable {
    let number: Int
    let name: String
    let state: MRAIDState
    let modals: [String]
    let opened: String?
    let document: String?
    let orientation: AppOrientation
    let screenshot: String?
    let scenario: String?
    let targets: [TapTarget]
    let surfaces: [SwipeSurface]
    let fields: [EntryField]
    let targetsCut: Bool
    let text: String
    let actions: Int
    let untried: [String]

    init(_ node: StateNode, in found: Exploration) {
      number = node.number
      name = node.name
      state = node.seen.state
      modals = node.seen.modals
      opened = node.seen.opened
      document = node.seen.document
      orientation = node.seen.orientation
      screenshot = node.seen.picture.map { _ in "states/\(node.slug).png" }
      scenario = found.replay(of: node.trial).map { "scenarios/\($0.file)" }
      targets = node.seen.targets
      surfaces = node.seen.surfaces
      fields = node.seen.fields
      targetsCut = node.seen.isCut
      text = node.seen.text
      actions = node.acts
      untried = node.untried
    }
  }

  /// Result of trying an act.
  struct Path: Encodable, Sendable {
    let from: Int
    /// Number of the state in which it ends; absent if the trial failed.
    let to: Int?
    let kind: UserAction.Kind
    let action: String
    let reasons: [String]?
    let effects: [String]
    let failure: String?
    let screenshot: String?
    let scenario: String?
    /// Game that was played; absent for other acts.
    let game: Game?

    init(_ edge: Edge, in found: Exploration) {
      game = edge.game.map(Game.init)
      from = edge.from
      to = edge.to
      kind = edge.act.kind
      action = edge.act.label
      reasons = edge.act.target?.reasons ?? edge.act.surface?.reasons
      effects = edge.effects
      if case .failed(let code) = edge.end { failure = code } else { failure = nil }
      screenshot = found.awayName(of: edge).map { "states/\($0).png" }
      scenario = found.replay(of: edge.trial).map { "scenarios/\($0.file)" }
    }
  }

  /// A game that was played: how far it led, and each touch.
  struct Game: Encodable, Sendable {
    let seed: Int
    let goal: PlayedGame.Goal
    let scenes: Int
    let seconds: Double
    let cut: Bool
    let moves: [Move]

    /// A touch as a scenario writes it, the reason for it, and its time in seconds from the first look.
    struct Move: Encodable, Sendable {
      let action: String
      let reason: String
      let time: Double
      let hadEffect: Bool
    }

    init(_ game: PlayedGame) {
      (seed, goal, scenes, seconds, cut) = (game.seed, game.goal, game.scenes, game.seconds, game.isCut)
      moves = game.moves.map {
        Move(action: $0.action.text ?? "", reason: $0.reason, time: $0.time, hadEffect: $0.hadEffect)
      }
    }
  }

  /// Counts of reached calls and changes of state, and the percentage if the creative's files could be read.
  struct Coverage: Encodable, Sendable {
    let percent: Int?
    let calls: CoveragePart
    let transitions: CoveragePart

    init(_ found: Exploration) {
      percent = found.vocabulary == nil ? nil : found.coverage.percent
      calls = found.coverage.calls
      transitions = found.coverage.transitions
    }
  }

  /// An anomaly and the scenario that leads to it.
  package struct Odd: Encodable, Sendable {
    package let code: Anomaly.Code
    package let message: String
    package let state: Int?
    package let action: String?
    package let count: Int
    package let scenario: String?

    init(_ anomaly: Anomaly, in found: Exploration) {
      code = anomaly.code
      message = anomaly.message
      state = anomaly.state
      action = anomaly.action
      count = anomaly.count
      scenario = found.replay(of: anomaly.trial).map { "scenarios/\($0.file)" }
    }
  }
}
