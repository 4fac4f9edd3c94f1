internal import Core
internal import Device
internal import Files
internal import Foundation
package import RenderModel
internal import ServiceLifecycle
package import Workers

/// One creative that a user plays with: after every change, its steps are rendered again from the beginning.
///
/// As a creative has its own clock, this has the same result as continuing, and a step can be taken back.
package actor PlaySession {
  /// Maximum number of bytes of a step, and of steps, as in a scenario.
  private static let (longestStep, mostSteps) = (20_000, 400)
  /// Time after which an outdated render that is still running is cancelled.
  private static let patience = Duration.seconds(2)

  private let job: RenderJob
  /// Path of the folder for renders.
  private let scratch: String
  /// Path of the file in which the steps are saved.
  private let file: String
  private let pool: WorkerPool
  private let settings: PoolSettings
  private var actions: [Scenario.Action]
  private var scene: PlayScene
  /// Scenario text that the file holds; empty if nothing was saved yet.
  private var saved: String
  private var watchers: [Int: AsyncStream<PlayScene>.Continuation] = [:]
  private var latestWatcher = 0
  private var latestJob = 0
  private var running: (id: Int, since: ContinuousClock.Instant, isOutdated: Bool)?

  /// Plays a plan's job; `file` is the path of its scenario.
  package init(_ job: RenderJob, scratch: String, file: String, settings: PoolSettings) {
    (self.job, self.scratch, self.file, self.settings) = (job, scratch, file, settings)
    actions = job.scenario?.steps.map(\.action) ?? []
    pool = WorkerPool(settings)
    var screen = job.device.screen
    if job.orientation == .landscape, screen.width < screen.height {
      screen = Size(width: screen.height, height: screen.width)
    }
    scene = PlayScene(
      creative: job.creative.argument, device: job.device.name, width: screen.width, height: screen.height, steps: [])
    saved = ""
    (scene.steps, scene.scenario) = (Self.steps(of: actions), Self.text(of: actions, job))
    saved = job.scenario == nil ? "" : scene.scenario
  }

  /// Renders after every change until it is cancelled, and then ends all of its processes.
  package func run() async {
    renderAgain()
    await withDiscardingTaskGroup { group in
      group.addTask { [settings, pool] in
        await Watchdog.during(settings.run, executable: Executables.own) { await pool.run() }
      }
      group.addTask { for await event in self.pool.events { await self.handle(event) } }
      group.addTask {
        for await changed in CreativeWatch(self.job.creative, except: self.file).changes() {
          await self.handle(changed: changed)
        }
      }
      try? await gracefulShutdown()
      for watcher in watchers.values { watcher.finish() }
      group.cancelAll()
    }
  }

  /// Returns a stream of the current scene and all later ones; a slow reader gets only the newest.
  func scenes() -> AsyncStream<PlayScene> {
    let (stream, continuation) = AsyncStream.makeStream(of: PlayScene.self, bufferingPolicy: .bufferingNewest(1))
    latestWatcher += 1
    let number = latestWatcher
    watchers[number] = continuation
    continuation.onTermination = { _ in Task { await self.leave(number) } }
    continuation.yield(scene)
    return stream
  }

  private func leave(_ number: Int) { watchers[number] = nil }

  /// Adds steps, written as in a scenario, one a line; throws `scenario-invalid`.
  func add(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.longestStep else {
      throw .request("scenario-invalid", "a step has \(text.utf8.count) bytes; the most is \(Self.longestStep)")
    }
    let lines = text.split(separator: "\n").filter { $0.contains { $0 != " " } }
    let new = try ScenarioParser.parse(lines.map { "- \($0)\n" }.joined(), source: "step").steps.map(\.action)
    guard actions.count + new.count <= Self.mostSteps else {
      throw .request("scenario-invalid", "there are \(actions.count) steps already; the most is \(Self.mostSteps)")
    }
    change(to: actions + new)
  }

  /// Removes the step at an index, and all later ones if `andAfter` is true.
  func remove(_ index: Int, andAfter: Bool) {
    guard actions.indices.contains(index) else { return }
    change(to: andAfter ? Array(actions[..<index]) : actions.enumerated().filter { $0.offset != index }.map(\.element))
  }

  /// Saves the steps in the scenario's file and returns its path.
  func save() throws(Fault) -> String {
    do throws(SystemError) {
      try OutputFile.write(scene.scenario, to: file)
    } catch {
      throw .writing(file, error, isNamed: true)
    }
    saved = scene.scenario
    scene.savedTo = file
    publish()
    return file
  }

  /// Returns the path of a render's screenshot by its file name; nil for any other name.
  func picture(_ render: Int, _ name: String) -> String? {
    guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }), name.hasSuffix(".png"),
      !name.hasPrefix(".")
    else { return nil }
    return "\(scratch)/\(render)/screenshots/\(name)"
  }

  private func change(to actions: [Scenario.Action]) {
    self.actions = actions
    (scene.steps, scene.scenario) = (Self.steps(of: actions), Self.text(of: actions, job))
    scene.changed = []
    renderAgain()
  }

  private func handle(changed: [String]) {
    scene.changed = changed
    renderAgain()
  }

  /// Restarts the steps from the beginning once the running render ends, or at once if that has taken too long.
  private func renderAgain() {
    scene.isRendering = true
    publish()
    if let running {
      self.running?.isOutdated = true
      guard running.since.duration(to: .now) > Self.patience else { return }
      let id = running.id
      self.running = nil
      Task { await pool.cancel(id) }
    }
    latestJob += 1
    var render = job
    (render.id, render.output) = (latestJob, "\(scratch)/\(latestJob)")
    let steps = (actions + [.observe("now")]).enumerated().map {
      Scenario.Step(line: $0.offset + 1, action: $0.element)
    }
    render.scenario = Scenario(source: "step", placement: job.scenario?.placement, steps: steps)
    render.options.explores = true
    running = (latestJob, .now, false)
    Task { [render] in await pool.submit([render]) }
  }

  private func handle(_ event: PoolEvent) {
    guard case .finished(let id, let record) = event, let ended = running, ended.id == id else { return }
    running = nil
    guard !ended.isOutdated else { return renderAgain() }
    scene.take(record, in: "\(scratch)/\(id)")
    scene.picture = scene.picture.map { "pictures/\(id)/\($0.split(separator: "/").last ?? "")" }
    publish()
    // The page may still be loading the picture before.
    for old in ((try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? []).compactMap({ Int($0) })
    where old < id - 1 {
      try? FileManager.default.removeItem(atPath: "\(scratch)/\(old)")
    }
  }

  private func publish() {
    scene.number += 1
    scene.isSaved = scene.scenario == saved || (actions.isEmpty && saved.isEmpty)
    for watcher in watchers.values { watcher.yield(scene) }
  }

  private static func steps(of actions: [Scenario.Action]) -> [PlayScene.Step] {
    actions.map { PlayScene.Step(text: $0.text ?? "") }
  }

  private static func text(of actions: [Scenario.Action], _ job: RenderJob) -> String {
    let steps = actions.enumerated().map { Scenario.Step(line: $0.offset + 1, action: $0.element) }
    let scenario = Scenario(source: "scenario.yaml", placement: job.scenario?.placement, steps: steps)
    return ScenarioWriter.text(of: scenario, comment: ["Played by hand on \(job.device.name)."])
  }
}
