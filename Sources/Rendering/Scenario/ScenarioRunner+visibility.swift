internal import Core
internal import Jobs
internal import WebKitRuntime

extension ScenarioRunner {
  /// Waits until the first match can be seen: laid out, not hidden, with a size.
  func awaitSight(of selector: String, _ timeout: Duration) async throws(Fault) {
    let script = """
      const element = Document.prototype.querySelector.call(document, selector);
      if (!element || !element.checkVisibility({ visibilityProperty: true })) return false;
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.height > 0;
      """
    let end = session.clock.now + timeout
    while session.clock.now < end, session.failure == nil {
      let answer: String?
      do {
        answer = try await session.stage.topAdPage?.view.call(script, ["selector": selector])
      } catch {
        // Between two documents; a selector that is none never comes true either, and the message names it.
        answer = nil
      }
      if answer == "true" { return await rest() }
      _ = await session.recorder.wait(Self.look) { [session] in session.failure != nil }
    }
    throw .creative("wait-timed-out", "waited \(timeout.seconds) s to see \(selector)")
  }

  /// How often the page is asked.
  private static let look = Duration.milliseconds(50)
}

extension Duration {
  /// `0.5` or `3`, for messages.
  fileprivate var seconds: String {
    let seconds = self / .seconds(1)
    return seconds.plain
  }
}
