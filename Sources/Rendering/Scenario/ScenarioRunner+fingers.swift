internal import AdExperience
internal import Foundation
internal import Jobs
internal import MRAID
internal import Stage
internal import WebKitRuntime

extension ScenarioRunner {
  /// Puts a finger down where the target is; whatever is topmost there gets it.
  func tap(_ target: Scenario.Target) async throws(Fault) {
    let point = try await place(of: target)
    guard let layer = session.stage.screen.hitTest(point) else {
      throw .request("off-screen", "\(text(point)) is not on the screen")
    }
    log("tap", at: point, target: target, layer: layer)
    switch layer.kind {
    case .closeControl: _ = session.activeManager.closeTopmost()
    case .feed: try await session.feed?.tap(layer.viewPoint(point))
    case .ad, .browser:
      guard let page = layer.viewID.flatMap({ session.stage.pages[$0] }) else { return }
      if layer.kind == .ad {
        let owner = session.feed?.ad(showing: page.id) ?? session
        owner.becomeActive()
        owner.manager.viewWasTouched()
      }
      let inside = layer.viewPoint(point)
      press(page, inside)
    default: break
    }
  }

  /// Moves a finger in ten steps from one place to the other.
  func swipe(from: Scenario.Target, to: Scenario.Target) async throws(Fault) {
    let start = try await place(of: from)
    let end = try await place(of: to)
    guard let layer = session.stage.screen.hitTest(start) else {
      throw .request("off-screen", "\(text(start)) is not on the screen")
    }
    log("swipe", at: start, target: from, layer: layer, to: end)
    guard let page = layer.viewID.flatMap({ session.stage.pages[$0] }) else { return }
    let (first, last) = (layer.viewPoint(start), layer.viewPoint(end))
    let isTouch = session.job.device.touch
    move(page, .down, first, isTouch, clicks: false)
    for step in 1...10 {
      let share = Double(step) / 10
      let point = Point(x: first.x + (last.x - first.x) * share, y: first.y + (last.y - first.y) * share)
      move(page, .move, point, isTouch, clicks: false)
      await page.handledInput(session.clock)
    }
    move(page, .up, last, isTouch, clicks: false)
  }

  /// Types into what has the focus.
  func type(_ text: String, into target: Scenario.Target?) async throws(Fault) {
    if let target {
      try await tap(target)
      await session.stage.topAdPage?.handledInput(session.clock)
    }
    guard let page = session.stage.topAdPage else { return }
    session.recorder.record(.input, "type", ["text": .string(text)])
    page.view.focus()
    for character in text.unicodeScalars {
      page.view.key(character)
      // The engine sends one key at a time; a call would overtake those that still wait.
      _ = try? await page.view.call("")
    }
  }

  /// Where on the screen a target is, in dip.
  private func place(of target: Scenario.Target) async throws(Fault) -> Point {
    switch target {
    case .point(let point): return point
    case .selector(let selector):
      if let point = await session.feed?.find(selector) { return point }
      guard let page = session.stage.topAdPage, let layer = session.stage.screen.layer(showing: page.id) else {
        throw .request("no-ad-on-screen", "no ad is on the screen to look for \(selector) in")
      }
      let inside = try await find(selector, in: page)
      return Point(x: layer.viewFrame.x + inside.x, y: layer.viewFrame.y + inside.y)
    }
  }

  /// The middle of the first match, scrolled into view; looked for up to two seconds.
  private func find(_ selector: String, in page: AdPage) async throws(Fault) -> Point {
    let script = """
      const find = () => document.querySelector(selector);
      const until = performance.now() + 2000;
      let element = find();
      while (!element && performance.now() < until) {
        await new Promise((done) => setTimeout(done, 20));
        element = find();
      }
      if (!element) return null;
      const visible = (box) => box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
      if (!visible(element.getBoundingClientRect())) element.scrollIntoView({ block: "center", inline: "center" });
      // A link that wraps has a box per line, and nothing of it may lie in the middle of them all.
      const boxes = [...element.getClientRects(), element.getBoundingClientRect()];
      const box = boxes.find((box) => box.width > 0 && box.height > 0) ?? boxes[0];
      return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height];
      """
    let answer: String
    do {
      answer = try await page.view.call(script, ["selector": selector])
    } catch {
      throw .request("selector-invalid", "\(selector) can't be looked for: \(error)")
    }
    guard let box = try? JSONDecoder().decode([Double].self, from: Data(answer.utf8)), box.count == 4 else {
      throw .creative("no-such-element", "nothing in the ad matches \(selector)")
    }
    guard box[2] > 0, box[3] > 0 else {
      throw .creative("element-invisible", "what matches \(selector) has no size")
    }
    return Point(x: box[0], y: box[1])
  }

  private func press(_ page: AdPage, _ point: Point) {
    let isTouch = session.job.device.touch
    if !isTouch { page.view.mouse(.move, x: point.x, y: point.y) }
    move(page, .down, point, isTouch)
    move(page, .up, point, isTouch)
  }

  private func move(
    _ page: AdPage, _ phase: WebView.PointerPhase, _ point: Point, _ isTouch: Bool, clicks: Bool = true
  ) {
    if isTouch {
      page.view.touch(phase, x: point.x, y: point.y, clicks: clicks)
    } else {
      page.view.mouse(phase, x: point.x, y: point.y)
    }
  }

  private func log(
    _ name: String, at point: Point, target: Scenario.Target, layer: Layer, to end: Point? = nil
  ) {
    var detail: [String: JSONValue] = [
      "x": .number(point.x), "y": .number(point.y), "layer": .string(layer.kind.rawValue),
    ]
    if case .selector(let selector) = target { detail["selector"] = .string(selector) }
    if let end {
      detail["toX"] = .number(end.x)
      detail["toY"] = .number(end.y)
    }
    session.recorder.record(.input, name, .object(detail))
  }

  private func text(_ point: Point) -> String { "(\(point.x.plain), \(point.y.plain))" }
}
