internal import AdManager
internal import Core
internal import Device
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

extension ScenarioRunner {
  /// Puts a finger down where the target is; whatever is topmost there gets it. Returns the page that did, if one did.
  @discardableResult
  func tap(_ target: Scenario.Target) async throws(Fault) -> AdPage? {
    let point = try await place(of: target)
    guard let layer = render.stage.screen.hitTest(point) else {
      throw .request("off-screen", "\(text(point)) is not on the screen")
    }
    log("tap", at: point, target: target, layer: layer)
    switch layer.kind {
    case .closeControl: _ = render.content?.activeAd?.manager.closeTopmost()
    case .feed: try await session.feed?.tap(layer.viewPoint(point))
    case .ad, .browser:
      guard let page = layer.viewID.flatMap({ render.stage.pages[$0] }) else { return nil }
      if layer.kind == .ad {
        let ad = session.feed?.ad(showing: page.id) ?? session.ad
        ad?.becameActive()
        ad?.manager.viewWasTouched()
      }
      page.view.input.dismissOptions()
      let inside = layer.viewPoint(point)
      press(page, inside)
      return page
    default: break
    }
    return nil
  }

  /// Where on the screen a target is, in dip.
  func place(of target: Scenario.Target) async throws(Fault) -> Point {
    switch target {
    case .point(let point): return point
    case .selector(let selector):
      if let point = await session.feed?.find(selector) { return point }
      let (box, _) = try await box(of: selector)
      return Point(x: box.x + box.width / 2, y: box.y + box.height / 2)
    }
  }

  /// Where on the screen the first match of a selector is, whatever of it can be seen, and the layer it is in.
  func box(of selector: String) async throws(Fault) -> (Rect, Layer) {
    guard let page = render.stage.topAdPage, let layer = render.stage.screen.layer(showing: page.id) else {
      throw .request("no-ad-on-screen", "no ad is on the screen to look for \(selector) in")
    }
    let inside = try await find(selector, in: page)
    return (inside.offset(x: layer.viewFrame.x, y: layer.viewFrame.y), layer)
  }

  /// The first box of the first match, scrolled into view; looked for up to two seconds.
  private func find(_ selector: String, in page: AdPage) async throws(Fault) -> Rect {
    let script = """
      const find = () => Document.prototype.querySelector.call(document, selector);
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
      return [box.left, box.top, box.width, box.height];
      """
    let answer: String
    do {
      answer = try await page.view.call(script, ["selector": selector])
    } catch {
      throw .request("selector-invalid", "\(selector) can't be looked for: \(error)")
    }
    guard let box = PageAnswer.decode([Double].self, from: answer), box.count == 4 else {
      throw .creative("no-such-element", "nothing in the ad matches \(selector)")
    }
    guard box[2] > 0, box[3] > 0 else {
      throw .creative("element-invisible", "what matches \(selector) has no size")
    }
    return Rect(x: box[0], y: box[1], width: box[2], height: box[3]).scaled(by: page.view.zoom)
  }

  private func press(_ page: AdPage, _ point: Point) {
    let isTouch = render.job.device.touch
    if !isTouch { page.view.input.mouse(.move, x: point.x, y: point.y) }
    move(page, .down, point, isTouch)
    move(page, .up, point, isTouch)
  }

  /// A finger or, on a desktop, the mouse.
  func move(
    _ page: AdPage, _ phase: PageInput.PointerPhase, _ point: Point, _ isTouch: Bool, clicks: Bool = true
  ) {
    if isTouch {
      page.view.input.touch(phase, x: point.x, y: point.y, clicks: clicks)
    } else {
      page.view.input.mouse(phase, x: point.x, y: point.y)
    }
  }

  /// Logs what a finger does.
  func log(
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
    record(name, .object(detail))
  }

  /// Logs what a person does to the ad.
  func record(_ name: String, _ detail: JSONValue) {
    render.meter?.noteInput()
    render.recorder.record(.input, name, detail)
  }

  /// A point in words.
  func text(_ point: Point) -> String { "(\(point.x.plain), \(point.y.plain))" }
}

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
    guard let layer = render.stage.screen.hitTest(start) else {
      throw .request("off-screen", "\(text(start)) is not on the screen")
    }
    log("swipe", at: start, target: target, layer: layer, to: end)
    guard let page = layer.viewID.flatMap({ render.stage.pages[$0] }) else { return }
    page.view.input.dismissOptions()
    let (first, last) = (layer.viewPoint(start), layer.viewPoint(end))
    let isTouch = render.job.device.touch
    move(page, .down, first, isTouch, clicks: false)
    for step in 1...10 {
      let share = Double(step) / 10
      let point = Point(x: first.x + (last.x - first.x) * share, y: first.y + (last.y - first.y) * share)
      move(page, .move, point, isTouch, clicks: false)
      await page.drawsTwoFrames(render.clock)
    }
    page.view.input.holdStill()
    move(page, .up, last, isTouch, clicks: false)
    await page.drawsTwoFrames(render.clock)
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
      if alike < 3 { await page.drawsTwoFrames(render.clock) }
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
