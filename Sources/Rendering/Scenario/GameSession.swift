internal import Core
internal import Device
internal import Engine
internal import Gameplay
internal import Hosting
internal import MRAID
internal import RenderModel

/// Plays the game on the topmost ad's canvas: looks at it, moves, waits, and looks again.
@EngineActor struct GameSession {
  let run: RenderRun
  let budget: GameBudget
  /// Performs a step of a scenario, as the scenario's own steps are performed.
  let carryOut: (Scenario.Action) async throws(Fault) -> Void
  private var render: RenderContext { run.render }

  /// Number of pictures taken before each move, and the seconds between them.
  private static let (looks, interval) = (6, 0.1)
  /// Number of frames that are drawn for a picture, whose exact instant doesn't matter.
  private static let watchedFrames: Int64 = 1
  /// Seconds of the page's time after a move, before its effect is looked for.
  private static let reaction = 0.5

  private static func wait(_ seconds: Double) -> Scenario.Action { .wait(Scenario.WaitCondition(.seconds(seconds))) }

  /// Plays until the store is asked for, the budget is used up or the ad is gone.
  func play() async throws(Fault) -> PlayedGame {
    let watched = render.clock.watchedFrames
    render.clock.watchedFrames = Self.watchedFrames
    defer { render.clock.watchedFrames = watched }
    var player = GamePlayer(seed: budget.seed)
    let first = render.recorder.events.count
    let start = render.clock.now
    var game = PlayedGame(seed: budget.seed, goal: .nothing, moves: [], scenes: 0, seconds: 0, steps: [])
    while isUnfinished(game, since: start) {
      let looks = try await look(&game)
      if let first = looks.first { note(player.noteEffect(in: first), in: &game) }
      guard let idea = player.nextMove(looks) else { break }
      let time = (render.clock.now - start) / .seconds(1)
      game.moves.append(PlayedGame.Move(action: idea.action, reason: idea.reason, time: time.hundredths))
      guard try await step(idea.action, &game), try await step(Self.wait(Self.reaction), &game) else { break }
      game.goal = max(game.goal, goal(of: player, since: first))
    }
    if let last = try await scene() { note(player.noteEffect(in: last), in: &game) }
    game.goal = max(game.goal, goal(of: player, since: first))
    game.scenes = player.scenes
    game.isCut = game.goal < .store && timeIsNearlyOver
    game.seconds = ((render.clock.now - start) / .seconds(1)).hundredths
    return game
  }

  private func isUnfinished(_ game: PlayedGame, since start: Duration) -> Bool {
    game.goal < .store && game.moves.count < budget.moves && render.failure == nil && !Task.isCancelled
      && render.clock.now - start < Bounded.seconds(budget.seconds) && render.stage.topAdPage != nil
      && !timeIsNearlyOver
  }

  /// Share of the render's time on the machine that a game may take, so that its last picture can still be taken.
  private static let timeShare = 0.7

  /// Indicates if so much of the render's time on the machine is over that the game has to end.
  private var timeIsNearlyOver: Bool {
    ContinuousClock.now - render.clock.began > Bounded.seconds(render.job.limits.timeout * Self.timeShare)
  }

  /// Performs a step; returns false if the page doesn't let it happen, by which the game is over.
  private func step(_ action: Scenario.Action, _ game: inout PlayedGame) async throws(Fault) -> Bool {
    do {
      try await carryOut(action)
      game.add(action)
      return true
    } catch {
      guard error.origin != .engine else { throw error }
      return false
    }
  }

  private func note(_ hadEffect: Bool?, in game: inout PlayedGame) {
    guard hadEffect == true, !game.moves.isEmpty else { return }
    game.moves[game.moves.count - 1].hadEffect = true
  }

  /// Returns pictures of the game at equal distances in time.
  private func look(_ game: inout PlayedGame) async throws(Fault) -> [Scene] {
    var looks: [Scene] = []
    for number in 0..<Self.looks {
      if number > 0 { _ = try await step(Self.wait(Self.interval), &game) }
      if let scene = try await scene() { looks.append(scene) }
    }
    return looks
  }

  private func scene() async throws(Fault) -> Scene? {
    guard let page = render.stage.topAdPage, let layer = render.stage.screen.layer(showing: page.id),
      layer.kind == .ad
    else { return nil }
    do {
      guard let picture = try await render.capturer.frame().ad else { return nil }
      return Scene(picture, frame: layer.viewFrame)
    } catch let fault as Fault {
      throw fault
    } catch {
      // A page that ended can't be drawn; why it ended is told elsewhere.
      return nil
    }
  }

  /// Returns the furthest point that the events and the pictures show.
  private func goal(of player: GamePlayer, since first: Int) -> PlayedGame.Goal {
    let events = render.recorder.events.dropFirst(first)
    if events.contains(where: \.leadsOut) { return .store }
    if events.contains(where: endsGame) { return .end }
    return player.effects == 0 ? .nothing : player.scenes > 1 ? .progress : .touch
  }

  /// Indicates if an event is the call by which a game tells its network that it has ended.
  private func endsGame(_ event: Event) -> Bool {
    guard event.source == .playable, let call = event.detail["call"]?.string else { return false }
    return run.context.hostProfile.behaviour.bridge.playable.role(of: call) == .end
  }
}

extension Double {
  /// Number with two decimals.
  fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}
