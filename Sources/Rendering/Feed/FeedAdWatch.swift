internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Finds ads of a feed whose web process is gone or never answers: that costs their own cells, and no other ad.
@WebKitActor final class FeedAdWatch {
  private let render: RenderContext
  private let cells: FeedCells
  /// Ads lost so far, and web processes that were ended for their memory.
  private var losses = 0
  private var memoryEnds = 0
  /// Looks for ads that don't answer any more.
  private var watch: Task<Void, Never>?

  /// What a page may owe an answer before it is asked whether it lives, and what it may take to say so.
  private static let patience = Duration.seconds(3)
  private static let longestAnswer = Duration.seconds(5)

  init(_ render: RenderContext, _ cells: FeedCells) {
    self.render = render
    self.cells = cells
    cells.onProcessEnded = { [weak self] child, end in self?.lose(child, end) }
  }

  /// The next web process that ends was ended for its memory; whose it is, its view will tell.
  func expectMemoryEnd() { memoryEnds += 1 }

  /// An ad's web process has ended.
  private func lose(_ child: AdSession, _ end: ProcessEnd) {
    let isOverMemory = end == .memoryLimit || memoryEnds > 0
    if isOverMemory { memoryEnds = max(0, memoryEnds - 1) }
    let told = isOverMemory ? ProcessEnd.memoryLimit : end
    child.context.record(.page, "webProcessEnded", ["reason": .string(told.rawValue)])
    lose(child, isOverMemory ? "memory-exceeded" : "crashed")
  }

  private func lose(_ child: AdSession, _ reason: String) {
    guard !child.context.isOver, let ad = cells.ads.first(where: { $0.sessions.contains { $0 === child } }) else {
      return
    }
    losses += 1
    let name = child.context.views.page.rawValue
    render.recorder.record(
      .feed, "adLost", ["ad": .string(name), "cell": .string(ad.id), "reason": .string(reason)])
    render.warnings.append("\(name) in \(ad.id) was lost: \(reason)")
    cells.lose(child, in: ad, reason)
    render.recorder.wakeWaiters()
  }

  /// Ends ads that keep their web process busy for ever; of the machine's time, so only where that is the ads'.
  func begin() {
    guard cells.hasProcesses else { return }
    watch = Task { @WebKitActor [weak self] in
      while (try? await Task.sleep(for: .milliseconds(500))) != nil {
        guard let self, !render.isOver else { return }
        for child in cells.sessions where !child.isAsked && child.isSilent(for: Self.patience) { ask(child) }
      }
    }
  }

  /// Looks no more.
  func end() { watch?.cancel() }

  private func ask(_ child: AdSession) {
    guard let page = child.pagesThere.first else { return }
    child.isAsked = true
    Task { @WebKitActor [weak self, weak child] in
      let answers = await page.view.answers(within: Self.longestAnswer)
      child?.isAsked = false
      if !answers, let self, let child { lose(child, "unresponsive") }
    }
  }

  /// Does something with all that is on the screen, and again where an ad was lost meanwhile, at rest once more.
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
  /// Whether one of its pages has owed an answer for so long, or still loads.
  fileprivate func isSilent(for time: Duration) -> Bool {
    pagesThere.contains { page in
      (page.view.scripts.pendingCallDuration ?? .zero) > time || (!page.isLoaded && page.hasCommitted)
    }
  }
}

extension WebView {
  /// Whether the page's web process runs a script in time.
  fileprivate func answers(within time: Duration) async -> Bool {
    let question = Task { @WebKitActor in (try? await call("return 1")) != nil }
    let patience = Task {
      try await Task.sleep(for: time)
      question.cancel()
    }
    defer { patience.cancel() }
    return await question.value
  }
}
