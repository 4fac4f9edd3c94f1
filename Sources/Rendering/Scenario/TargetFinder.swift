internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import RenderModel
internal import WebKitRuntime

/// Finds the targets of a scenario's steps on the screen.
@EngineActor struct TargetFinder {
  let run: RenderRun
  private var render: RenderContext { run.render }

  /// Point of a target on the screen, in dip.
  func place(of target: Scenario.Target) async throws(Fault) -> Point { try await find(target).point }

  /// Point of a target on the screen, in dip, and a name of the element that covers it; nil if none does.
  func find(_ target: Scenario.Target) async throws(Fault) -> (point: Point, coveredBy: String?) {
    switch target {
    case .point(let point): return (point, nil)
    case .selector(let selector):
      if let point = await run.feed?.find(selector) { return (point, nil) }
      let (found, layer) = try await find(selector)
      let point = Point(x: found.box.x + found.box.width / 2, y: found.box.y + found.box.height / 2)
      return (point, cover(of: layer, at: point) ?? found.coveredBy)
    }
  }

  /// Name of the layer that covers another at a point; nil if none does.
  func cover(of layer: Layer, at point: Point) -> String? {
    guard let hit = render.stage.screen.hitTest(point), hit.id != layer.id else { return nil }
    return switch hit.kind {
    case .closeControl: "the close control"
    default: "the \(hit.kind.rawValue)"
    }
  }

  /// Element that a selector matches.
  private struct Match: Decodable {
    var box: Rect
    /// Name of the ad's element that covers it; nil if none does.
    var coveredBy: String?

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let sides = try values.decode([Double].self, forKey: .box)
      guard sides.count == 4 else {
        throw DecodingError.dataCorruptedError(forKey: .box, in: values, debugDescription: "no box")
      }
      box = Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
      coveredBy = try values.decodeIfPresent(String.self, forKey: .coveredBy)
    }

    private enum CodingKeys: CodingKey {
      case box, coveredBy
    }
  }

  /// Frame of a selector's first match on the screen, including invisible parts, and its layer.
  func box(of selector: String) async throws(Fault) -> (Rect, Layer) {
    let (found, layer) = try await find(selector)
    return (found.box, layer)
  }

  private func find(_ selector: String) async throws(Fault) -> (Match, Layer) {
    guard let page = render.stage.topAdPage, let layer = render.stage.screen.layer(showing: page.id) else {
      throw .request("ad-off-screen", "no ad on the screen could contain \(selector)")
    }
    var found = try await find(selector, in: page)
    found.box = found.box.offset(x: layer.viewFrame.x, y: layer.viewFrame.y)
    return (found, layer)
  }

  /// First box of the first match, scrolled into view; also searched in frames, for two seconds.
  private func find(_ selector: String, in page: AdPage) async throws(Fault) -> Match {
    let script = """
      const until = performance.now() + 2000;
      let found = await galley.find(selector);
      while (!found && performance.now() < until) {
        await new Promise((done) => setTimeout(done, 20));
        found = await galley.find(selector);
      }
      return found ? { box: found.box, coveredBy: found.coveredBy } : null;
      """
    let answer: String
    do {
      answer = try await page.view.call(script, ["selector": selector])
    } catch {
      throw .request("selector-invalid", "can't search for \(selector): \(error)")
    }
    guard var match = PageAnswer.decode(Match.self, from: answer) else {
      throw .creative(.elementMissing, "nothing in the ad matches \(selector)")
    }
    guard match.box.width > 0, match.box.height > 0 else {
      throw .creative("element-invisible", "the element \(selector) has no size")
    }
    match.box = match.box.scaled(by: page.view.zoom)
    return match
  }

  /// Maximum number of ids that are returned.
  private static let most = 20

  /// Ids of the topmost ad document, those most similar to the selector first; nil if the page doesn't answer.
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
  /// Selector of the action's target in the ad; nil for actions without one.
  var selector: String? {
    switch self {
    case .tap(.selector(let selector)), .tapCovered(let selector), .press(.selector(let selector), _),
      .swipe(.selector(let selector), _), .swipeOver(let selector, _), .type(_, .selector(let selector)?),
      .choose(_, .selector(let selector)):
      selector
    default: nil
    }
  }
}
