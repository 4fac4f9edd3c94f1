internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension ScenarioRunner {
  /// Types into what has the focus.
  func type(_ text: String, into target: Scenario.Target?) async throws(Fault) {
    if let target {
      if let page = try await tap(target) { await session.inputIsHandled(by: page) }
    }
    guard let page = session.stage.topAdPage else { return }
    session.recorder.record(.input, "type", ["text": .string(text)])
    page.view.focus()
    for character in text.unicodeScalars {
      page.view.key(character)
      // The engine sends the release once the press is handled: one call for each, or the next step overtakes keys.
      for _ in 0..<2 { _ = try? await page.view.call("") }
    }
  }

  /// Taps a `select` and picks from the list that opens.
  func choose(_ option: String, from target: Scenario.Target) async throws(Fault) {
    try await tap(target)
    guard let page = session.stage.topAdPage else { return }
    // The list opens by the click, which follows the touch.
    for _ in 0..<Self.patienceForList where page.view.openOptions == nil { await page.drawsTwoFrames(session.clock) }
    guard let options = page.view.openOptions else {
      throw .creative("no-list", "no list opened to choose \(option) from")
    }
    session.recorder.record(.input, "choose", ["option": .string(option)])
    guard page.view.pick(option) else {
      page.view.dismissOptions()
      let all = options.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .creative("no-such-option", "no option reads \(option); there are \(all)")
    }
  }

  /// How often a page is given two frames to open a list.
  private static let patienceForList = 10
}
