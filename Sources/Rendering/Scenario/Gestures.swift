internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// User actions on the ad, with fingers or a mouse and with keys.
@EngineActor struct Gestures {
  let run: RenderRun
  private var render: RenderContext { run.render }
  private var finder: TargetFinder { TargetFinder(run: run) }

  /// Taps the target; the topmost element there receives the tap. Returns the page that received it, if any.
  ///
  /// Throws if another element would receive the tap, unless `mayBeCovered` is true.
  @discardableResult
  func tap(_ target: Scenario.Target, mayBeCovered: Bool = false) async throws(Fault) -> AdPage? {
    try await touch(.tap, target, mayBeCovered: mayBeCovered) { page, point in await press(page, point) }
  }

  /// Holds a finger on the target for a number of seconds of the page's time and lifts it; no click follows.
  ///
  /// A mouse that is held causes a click.
  func press(_ target: Scenario.Target, for seconds: Double) async throws(Fault) -> AdPage? {
    try await touch(.press, target, detail: ["seconds": .number(seconds)]) { page, point in
      move(page, .down, point)
      await render.clock.sleep(for: Bounded.seconds(seconds))
      move(page, .up, point)
      await page.drawsTwoFrames(render.clock)
    }
  }

  /// Performs an action with a finger at the target, and returns the page that received it.
  private func touch(
    _ name: Event.Name, _ target: Scenario.Target, mayBeCovered: Bool = false, detail: [String: JSONValue] = [:],
    _ act: (AdPage, Point) async -> Void
  ) async throws(Fault) -> AdPage? {
    let (point, cover) = try await finder.find(target)
    guard let layer = render.stage.screen.hitTest(point) else {
      throw .request("point-off-screen", "\(text(point)) is not on the screen")
    }
    if let cover, !mayBeCovered { throw covered(target, by: cover) }
    log(name, at: point, target: target, layer: layer, cover: cover, more: detail)
    switch layer.kind {
    case .closeControl: _ = render.content?.activeAd?.manager.closeTopmost()
    case .feed: try await run.feed?.tap(layer.viewPoint(point))
    case .ad, .browser:
      guard let page = layer.viewID.flatMap({ render.stage.pages[$0] }) else { return nil }
      if layer.kind == .ad {
        let ad = run.feed?.ad(showing: page.id) ?? run.ad
        ad?.becameActive()
        ad?.manager.viewWasTouched()
      }
      page.view.input.dismissOptions()
      await act(page, layer.viewPoint(point))
      return page
    default: break
    }
    return nil
  }

  /// Moves a finger from one target to the other.
  func swipe(from: Scenario.Target, to: Scenario.Target) async throws(Fault) {
    let start = try await finder.place(of: from)
    try await swipe(from: start, to: try await finder.place(of: to), target: from)
  }

  /// Moves a finger over most of the visible part of the first match.
  func swipe(over selector: String, _ direction: SwipeDirection) async throws(Fault) {
    let (box, layer) = try await finder.box(of: selector)
    guard let seen = box.intersection(layer.viewFrame) else {
      throw .creative("element-invisible", "the element \(selector) isn't visible")
    }
    let (start, end) = direction.path(over: seen)
    if let cover = finder.cover(of: layer, at: start) { throw covered(.selector(selector), by: cover) }
    try await swipe(from: start, to: end, target: .selector(selector))
  }

  /// Swipes in ten steps and pauses before the finger lifts; returns once the content it moved stands still.
  private func swipe(from start: Point, to end: Point, target: Scenario.Target) async throws(Fault) {
    guard let layer = render.stage.screen.hitTest(start) else {
      throw .request("point-off-screen", "\(text(start)) is not on the screen")
    }
    log(.swipe, at: start, target: target, layer: layer, to: end)
    guard let page = layer.viewID.flatMap({ render.stage.pages[$0] }) else { return }
    page.view.input.dismissOptions()
    let (first, last) = (layer.viewPoint(start), layer.viewPoint(end))
    move(page, .down, first)
    for step in 1...10 {
      let share = Double(step) / 10
      let point = Point(x: first.x + (last.x - first.x) * share, y: first.y + (last.y - first.y) * share)
      move(page, .move, point)
      await page.drawsTwoFrames(render.clock)
    }
    page.view.input.pauseBeforeLift()
    move(page, .up, last)
    await page.drawsTwoFrames(render.clock)
    await ScrollRest(page: page, point: first, clock: render.clock).comes()
  }

  /// Types text into the focused element, after a tap on the target if there is one.
  func type(_ text: String, into target: Scenario.Target?) async throws(Fault) {
    if let target {
      if let page = try await tap(target) { await page.inputIsHandled(render.clock, render.recorder) }
    }
    guard let page = render.stage.topAdPage else { return }
    record(.type, ["text": .string(text)])
    page.view.input.focus()
    for character in text.unicodeScalars {
      page.view.input.key(character)
      // The engine sends the release once the press is handled: one call for each, or the next step overtakes keys.
      for _ in 0..<2 { _ = try? await page.view.call("") }
    }
  }

  /// Taps a `select` and chooses an option from the list that opens.
  func choose(_ option: String, from target: Scenario.Target) async throws(Fault) {
    try await tap(target)
    guard let page = render.stage.topAdPage else { return }
    // The list opens by the click, which follows the touch.
    let input = page.view.input
    for _ in 0..<Self.patienceForList where input.openOptions == nil { await page.drawsTwoFrames(render.clock) }
    guard let options = input.openOptions else {
      throw .creative("list-closed", "no list opened for the choice of \(option)")
    }
    record(.choose, ["option": .string(option)])
    guard input.pick(option) else {
      input.dismissOptions()
      let all = options.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .creative("option-missing", "the list has no option \(option); its options are \(all)")
    }
  }

  /// Maximum number of times that a page gets two frames to open a list.
  private static let patienceForList = 10

  /// Taps with a finger or, on a desktop, clicks with the mouse.
  private func press(_ page: AdPage, _ point: Point) async {
    guard render.job.device.touch else {
      for phase in [PageInput.PointerPhase.move, .down, .up] { page.view.input.mouse(phase, x: point.x, y: point.y) }
      return
    }
    await page.view.tap(x: point.x, y: point.y)
  }

  /// Moves a finger or, on a desktop, the mouse.
  private func move(_ page: AdPage, _ phase: PageInput.PointerPhase, _ point: Point) {
    if render.job.device.touch {
      page.view.input.drag(phase, x: point.x, y: point.y)
    } else {
      page.view.input.mouse(phase, x: point.x, y: point.y)
    }
  }

  private func covered(_ target: Scenario.Target, by cover: String) -> Fault {
    guard case .selector(let selector) = target else {
      return .creative("element-covered", "\(cover) covers the point")
    }
    return .creative("element-covered", "\(selector) is covered: \(cover) would receive the touch")
  }

  /// Logs a finger's action, and the element that received it in place of its target.
  private func log(
    _ name: Event.Name, at point: Point, target: Scenario.Target, layer: Layer, to end: Point? = nil,
    cover: String? = nil,
    more: [String: JSONValue] = [:]
  ) {
    var detail: [String: JSONValue] = [
      "x": .number(point.x), "y": .number(point.y), "layer": .string(layer.kind.rawValue),
    ]
    if case .selector(let selector) = target { detail["selector"] = .string(selector) }
    detail.merge(more) { $1 }
    if let cover { detail["takenBy"] = .string(cover) }
    if let end {
      detail["toX"] = .number(end.x)
      detail["toY"] = .number(end.y)
    }
    render.camera?.noteTouch(at: end ?? point)
    record(name, .object(detail))
  }

  /// Logs a user action on the ad.
  private func record(_ name: Event.Name, _ detail: JSONValue) {
    render.meter?.noteInput()
    render.recorder.record(.input, name, detail)
  }

  /// Description of a point.
  private func text(_ point: Point) -> String { "(\(point.x.plain), \(point.y.plain))" }
}

/// Waits until no element around a point of a page scrolls.
@EngineActor private struct ScrollRest {
  let page: AdPage
  let point: Point
  let clock: RenderClock

  /// Returns once all elements stand still at a snap position.
  func comes() async {
    await hasStalled()
    await snaps()
  }

  /// Moves scrolled lists to the nearest snap position, which the engine only does after a fling.
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

  /// Waits until no element around the point scrolls, two seconds at most.
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

  /// Coordinates of the point in the page's own units.
  private var arguments: [String: String] {
    ["x": "\(point.x / page.view.zoom)", "y": "\(point.y / page.view.zoom)"]
  }

  /// Script that collects every element around a point, from the innermost, including those in the creative's own
  /// frames.
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
