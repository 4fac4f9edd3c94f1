internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Finds ads of a feed whose web process has ended or doesn't answer; only their own cells lose their ads.
@EngineActor final class FeedAdWatch {
  private let render: RenderContext
  private let cells: FeedCells
  /// Number of ads lost so far, and number of web processes that were ended for memory and whose end isn't reported
  /// yet.
  private var losses = 0
  private var memoryEnds = 0
  /// Task that checks for ads that no longer answer.
  private var watch: Task<Void, Never>?

  /// Time that a page may leave a call unanswered before it is checked, and time that it then has to answer.
  private static let patience = Duration.seconds(3)
  private static let longestAnswer = Duration.seconds(5)

  init(_ render: RenderContext, _ cells: FeedCells) {
    self.render = render
    self.cells = cells
  }

  /// Notes that the next web process to end was ended for its memory; the view that reports the end identifies it.
  func expectMemoryEnd() { memoryEnds += 1 }

  /// Removes an ad whose web process has ended.
  func lose(_ child: AdSession, _ end: ProcessEnd) {
    let isOverMemory = end == .memoryLimit || memoryEnds > 0
    if isOverMemory { memoryEnds = max(0, memoryEnds - 1) }
    let told = isOverMemory ? ProcessEnd.memoryLimit : end
    child.context.record(.page, .webProcessEnded, ["reason": .string(told.rawValue)])
    lose(child, isOverMemory ? "memory-exceeded" : "crashed")
  }

  private func lose(_ child: AdSession, _ reason: String) {
    guard !child.context.isOver, let ad = cells.ads.first(where: { $0.sessions.contains { $0 === child } }) else {
      return
    }
    losses += 1
    let name = child.context.views.page.rawValue
    render.recorder.record(
      .feed, .adLost, ["ad": .string(name), "cell": .string(ad.id), "reason": .string(reason)])
    render.warnings.append("\(name) in \(ad.id) was lost: \(reason)")
    cells.lose(child, in: ad, reason)
    render.recorder.wakeWaiters()
  }

  /// Begins to check for ads that block their web process, in machine time and so only if the ads use it too.
  func begin() {
    guard cells.hasProcesses else { return }
    watch = Task { @EngineActor [weak self] in
      while (try? await Task.sleep(for: .milliseconds(500))) != nil {
        guard let self, !render.isOver else { return }
        for child in cells.sessions where !child.isAsked && child.isSilent(for: Self.patience) { ask(child) }
      }
    }
  }

  /// Ends the checks.
  func end() { watch?.cancel() }

  private func ask(_ child: AdSession) {
    guard let page = child.pagesThere.first else { return }
    child.isAsked = true
    Task { @EngineActor [weak self, weak child] in
      let answers = await page.view.answers(within: Self.longestAnswer)
      child?.isAsked = false
      if !answers, let self, let child { lose(child, "unresponsive") }
    }
  }

  /// Performs an action on everything on the screen, and again at rest if an ad was lost meanwhile.
  func tryAgainAfterLosses(_ stability: StabilityWaiter, _ body: () async throws -> Void) async throws {
    for _ in 0...cells.ads.count {
      let before = losses
      do {
        return try await body()
      } catch {
        // What was asked of a page ends a moment before its process is known to be gone.
        guard render.failure == nil, await render.recorder.wait(.seconds(1), until: { self.losses > before }) else {
          throw error
        }
        _ = await stability.waitUntilIdle()
      }
    }
    try await body()
  }
}

extension AdSession {
  /// Indicates that a page of the ad has left a call unanswered for that time, or still loads.
  fileprivate func isSilent(for time: Duration) -> Bool {
    pagesThere.contains { page in
      (page.view.scripts.pendingCallDuration ?? .zero) > time || (!page.isLoaded && page.hasCommitted)
    }
  }
}

extension WebView {
  /// Indicates if the page's web process runs a script within that time.
  fileprivate func answers(within time: Duration) async -> Bool {
    let question = Task { @EngineActor in (try? await call("return 1")) != nil }
    let patience = Task {
      try await Task.sleep(for: time)
      question.cancel()
    }
    defer { patience.cancel() }
    return await question.value
  }
}
