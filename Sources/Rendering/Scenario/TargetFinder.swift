internal import AdManager
internal import Core
internal import Device
internal import RenderModel
internal import WebKitRuntime

/// Finds where on the screen the targets of a scenario's steps are.
@WebKitActor struct TargetFinder {
  let session: RenderSession
  private var render: RenderContext { session.render }

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
      throw .request("ad-off-screen", "no ad is on the screen to look for \(selector) in")
    }
    let inside = try await find(selector, in: page)
    return (inside.offset(x: layer.viewFrame.x, y: layer.viewFrame.y), layer)
  }

  /// The first box of the first match, in a frame where the page has none, scrolled into view; looked for two seconds.
  private func find(_ selector: String, in page: AdPage) async throws(Fault) -> Rect {
    let script = """
      const until = performance.now() + 2000;
      let found = await galley.find(selector);
      while (!found && performance.now() < until) {
        await new Promise((done) => setTimeout(done, 20));
        found = await galley.find(selector);
      }
      return found ? found.box : null;
      """
    let answer: String
    do {
      answer = try await page.view.call(script, ["selector": selector])
    } catch {
      throw .request("selector-invalid", "\(selector) can't be looked for: \(error)")
    }
    guard let box = PageAnswer.decode([Double].self, from: answer), box.count == 4 else {
      throw .creative("element-missing", "nothing in the ad matches \(selector)")
    }
    guard box[2] > 0, box[3] > 0 else {
      throw .creative("element-invisible", "what matches \(selector) has no size")
    }
    return Rect(x: box[0], y: box[1], width: box[2], height: box[3]).scaled(by: page.view.zoom)
  }

  /// The most ids that are told.
  private static let most = 20

  /// Ids that the topmost ad document has, those written most like the selector first; nil when it can't say.
  func candidates(for selector: String) async -> [String]? {
    let script = """
      const found = Document.prototype.querySelectorAll.call(document, "[id]");
      return Array.from(found).slice(0, 200).map((element) => "#" + CSS.escape(element.id.slice(0, 60)));
      """
    guard let page = render.stage.topAdPage, let answer = try? await page.view.call(script),
      let ids = PageAnswer.decode([String].self, from: answer)
    else { return nil }
    let ranked = ids.prefix(200).enumerated().map {
      (id: $0.element.cut(to: 130), slips: Suggestion.slips(from: selector, to: $0.element), place: $0.offset)
    }
    return ranked.sorted { ($0.slips, $0.place) < ($1.slips, $1.place) }.prefix(Self.most).map(\.id)
  }
}

extension Scenario.Action {
  /// What it looks for in the ad.
  var selector: String? {
    switch self {
    case .tap(.selector(let selector)), .swipe(.selector(let selector), _), .swipeOver(let selector, _),
      .type(_, .selector(let selector)?), .choose(_, .selector(let selector)):
      selector
    default: nil
    }
  }
}
