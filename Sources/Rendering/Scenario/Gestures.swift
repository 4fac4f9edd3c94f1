internal import AdManager
internal import Core
internal import Device
internal import RenderModel
internal import WebKitRuntime

/// What a person does to the ad with fingers or a mouse, and with keys.
@WebKitActor struct Gestures {
  let session: RenderSession
  private var render: RenderContext { session.render }
  private var finder: TargetFinder { TargetFinder(session: session) }

  /// Puts a finger down where the target is; whatever is topmost there gets it. Returns the page that did, if one did.
  @discardableResult
  func tap(_ target: Scenario.Target) async throws(Fault) -> AdPage? {
    let point = try await finder.place(of: target)
    guard let layer = render.stage.screen.hitTest(point) else {
      throw .request("point-off-screen", "\(text(point)) is not on the screen")
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

  /// Moves a finger from one place to the other.
  func swipe(from: Scenario.Target, to: Scenario.Target) async throws(Fault) {
    let start = try await finder.place(of: from)
    try await swipe(from: start, to: try await finder.place(of: to), target: from)
  }

  /// Moves a finger over most of what can be seen of the first match.
  func swipe(over selector: String, _ direction: SwipeDirection) async throws(Fault) {
    let (box, layer) = try await finder.box(of: selector)
    guard let seen = box.intersection(layer.viewFrame) else {
      throw .creative("element-invisible", "what matches \(selector) can't be seen")
    }
    let (start, end) = direction.path(over: seen)
    try await swipe(from: start, to: end, target: .selector(selector))
  }

  /// In ten steps, then a rest before the finger lifts; returns once what it moved stands still.
  private func swipe(from start: Point, to end: Point, target: Scenario.Target) async throws(Fault) {
    guard let layer = render.stage.screen.hitTest(start) else {
      throw .request("point-off-screen", "\(text(start)) is not on the screen")
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
    page.view.input.pauseBeforeLift()
    move(page, .up, last, isTouch, clicks: false)
    await page.drawsTwoFrames(render.clock)
    await ScrollRest(page: page, point: first, clock: render.clock).comes()
  }

  /// Types into what has the focus.
  func type(_ text: String, into target: Scenario.Target?) async throws(Fault) {
    if let target {
      if let page = try await tap(target) { await page.inputIsHandled(render.clock, render.recorder) }
    }
    guard let page = render.stage.topAdPage else { return }
    record("type", ["text": .string(text)])
    page.view.input.focus()
    for character in text.unicodeScalars {
      page.view.input.key(character)
      // The engine sends the release once the press is handled: one call for each, or the next step overtakes keys.
      for _ in 0..<2 { _ = try? await page.view.call("") }
    }
  }

  /// Taps a `select` and picks from the list that opens.
  func choose(_ option: String, from target: Scenario.Target) async throws(Fault) {
    try await tap(target)
    guard let page = render.stage.topAdPage else { return }
    // The list opens by the click, which follows the touch.
    let input = page.view.input
    for _ in 0..<Self.patienceForList where input.openOptions == nil { await page.drawsTwoFrames(render.clock) }
    guard let options = input.openOptions else {
      throw .creative("list-closed", "no list opened to choose \(option) from")
    }
    record("choose", ["option": .string(option)])
    guard input.pick(option) else {
      input.dismissOptions()
      let all = options.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .creative("option-missing", "no option reads \(option); there are \(all)")
    }
  }

  /// How often a page is given two frames to open a list.
  private static let patienceForList = 10

  private func press(_ page: AdPage, _ point: Point) {
    let isTouch = render.job.device.touch
    if !isTouch { page.view.input.mouse(.move, x: point.x, y: point.y) }
    move(page, .down, point, isTouch)
    move(page, .up, point, isTouch)
  }

  /// A finger or, on a desktop, the mouse.
  private func move(
    _ page: AdPage, _ phase: PageInput.PointerPhase, _ point: Point, _ isTouch: Bool, clicks: Bool = true
  ) {
    if isTouch {
      page.view.input.touch(phase, x: point.x, y: point.y, clicks: clicks)
    } else {
      page.view.input.mouse(phase, x: point.x, y: point.y)
    }
  }

  /// Logs what a finger does.
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
    render.camera?.noteTouch(at: end ?? point)
    record(name, .object(detail))
  }

  /// Logs what a person does to the ad.
  private func record(_ name: String, _ detail: JSONValue) {
    render.meter?.noteInput()
    render.recorder.record(.input, name, detail)
  }

  /// A point in words.
  private func text(_ point: Point) -> String { "(\(point.x.plain), \(point.y.plain))" }
}

/// Waits until nothing around a point of a page scrolls any more.
@WebKitActor private struct ScrollRest {
  let page: AdPage
  let point: Point
  let clock: RenderClock

  /// Returns once all stands still, at a place where it may stop.
  func comes() async {
    await hasStalled()
    await snaps()
  }

  /// Has lists that stop at certain places go to the nearest, which the engine only does for a finger that throws.
  private func snaps() async {
    let script = """
      for (const at of around) {
        const type = getComputedStyle(at).scrollSnapType;
        if (type === "none" || (at.scrollLeft === 0 && at.scrollTop === 0)) continue;
        // To where it is already it wouldn't move.
        const [across, down] = type.startsWith("y") || type.startsWith("block") ? [0, 1] : [1, 0];
        at.scrollTo({ left: at.scrollLeft + across, top: at.scrollTop + down, behavior: "instant" });
      }
      """
    _ = try? await page.view.call(Self.around + script, arguments)
    await hasStalled()
  }

  /// Waits until nothing around a point scrolls any more, two seconds at most.
  private func hasStalled() async {
    let script = """
      return around.flatMap((one) => [one.scrollLeft, one.scrollTop]);
      """
    let arguments = arguments
    var last: String?
    var alike = 0
    for _ in 0..<40 where alike < 3 {
      guard let now = try? await page.view.call(Self.around + script, arguments) else { return }
      alike = now == last ? alike + 1 : 0
      last = now
      if alike < 3 { await page.drawsTwoFrames(clock) }
    }
  }

  /// The point as the page counts.
  private var arguments: [String: String] {
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
