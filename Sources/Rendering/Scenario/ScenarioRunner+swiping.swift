internal import Foundation
internal import Jobs
internal import MRAID
internal import Stage
internal import WebKitRuntime

extension ScenarioRunner {
  /// Moves a finger from one place to the other.
  func swipe(from: Scenario.Target, to: Scenario.Target) async throws(Fault) {
    let start = try await place(of: from)
    try await swipe(from: start, to: try await place(of: to), target: from)
  }

  /// Moves a finger over most of what can be seen of the first match.
  func swipe(over selector: String, _ direction: SwipeDirection) async throws(Fault) {
    let (box, layer) = try await box(of: selector)
    guard let seen = box.intersection(layer.viewFrame) else {
      throw .creative("element-invisible", "what matches \(selector) can't be seen")
    }
    let (start, end) = direction.path(over: seen)
    try await swipe(from: start, to: end, target: .selector(selector))
  }

  /// In ten steps, then a rest before the finger lifts; returns once what it moved stands still.
  private func swipe(from start: Point, to end: Point, target: Scenario.Target) async throws(Fault) {
    guard let layer = session.stage.screen.hitTest(start) else {
      throw .request("off-screen", "\(text(start)) is not on the screen")
    }
    log("swipe", at: start, target: target, layer: layer, to: end)
    guard let page = layer.viewID.flatMap({ session.stage.pages[$0] }) else { return }
    page.view.dismissOptions()
    let (first, last) = (layer.viewPoint(start), layer.viewPoint(end))
    let isTouch = session.job.device.touch
    move(page, .down, first, isTouch, clicks: false)
    for step in 1...10 {
      let share = Double(step) / 10
      let point = Point(x: first.x + (last.x - first.x) * share, y: first.y + (last.y - first.y) * share)
      move(page, .move, point, isTouch, clicks: false)
      await page.drawsTwoFrames(session.clock)
    }
    page.view.holdStill()
    move(page, .up, last, isTouch, clicks: false)
    await page.drawsTwoFrames(session.clock)
    await standsStill(page, at: first)
    await snaps(page, at: first)
  }

  /// Has lists that stop at certain places go to the nearest, which the engine only does for a finger that throws.
  private func snaps(_ page: AdPage, at point: Point) async {
    let script = """
      for (const at of around) {
        const type = getComputedStyle(at).scrollSnapType;
        if (type === "none" || (at.scrollLeft === 0 && at.scrollTop === 0)) continue;
        // To where it is already it wouldn't move.
        const [across, down] = type.startsWith("y") || type.startsWith("block") ? [0, 1] : [1, 0];
        at.scrollTo({ left: at.scrollLeft + across, top: at.scrollTop + down, behavior: "instant" });
      }
      """
    _ = try? await page.view.call(Self.around + script, Self.arguments(point, on: page))
    await standsStill(page, at: point)
  }

  /// Waits until nothing around a point scrolls any more, two seconds at most.
  private func standsStill(_ page: AdPage, at point: Point) async {
    let script = """
      return around.flatMap((one) => [one.scrollLeft, one.scrollTop]);
      """
    let arguments = Self.arguments(point, on: page)
    var last: String?
    var alike = 0
    for _ in 0..<40 where alike < 3 {
      guard let now = try? await page.view.call(Self.around + script, arguments) else { return }
      alike = now == last ? alike + 1 : 0
      last = now
      if alike < 3 { await page.drawsTwoFrames(session.clock) }
    }
  }

  /// A point of the view as the page counts.
  private static func arguments(_ point: Point, on page: AdPage) -> [String: String] {
    ["x": "\(point.x / page.view.zoom)", "y": "\(point.y / page.view.zoom)"]
  }

  /// Every element around a point, from the innermost, those in the creative's own frames included.
  private static let around = """
    const around = [];
    for (let root = document, [left, top] = [0, 0]; root;) {
      const hit = Document.prototype.elementFromPoint.call(root, x - left, y - top);
      for (let at = hit; at; at = at.parentElement) around.push(at);
      const box = hit?.getBoundingClientRect();
      [left, top] = [left + (box?.left ?? 0), top + (box?.top ?? 0)];
      root = hit?.contentDocument;
    }

    """
}
