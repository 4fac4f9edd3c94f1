internal import AdManager
internal import Core
internal import Device
internal import Foundation
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Notes what is on the screen: the host's part of it, and the page's own inventory in the screen's coordinates.
@WebKitActor struct Surveyor {
  let render: RenderContext
  /// Of the creative's files.
  let addresses: PageAddresses

  /// What `inventory.js` tells.
  private struct Inventory: Decodable {
    var targets: [TapTarget]
    var surfaces: [SwipeSurface]
    var fields: [EntryField]
    var cut: Bool
    var text: String
    var fingerprint: String
  }

  /// A page that can't be asked has nothing to tap.
  func observe(_ moment: String) async -> Observation {
    let stage = render.stage
    let close = stage.screen.layers.last { $0.kind == .closeControl }?.frame ?? laterClose
    var seen = Observation(
      moment: moment, state: render.activeState ?? .default,
      modals: render.modalManager.stack.states.map(\.kind.name), opened: opened, orientation: stage.screen.orientation,
      close: close, closeFits: close.map(stage.screen.contentArea.contains) ?? true, rest: rest)
    if let page = stage.topAdPage, let layer = stage.screen.layer(showing: page.id), layer.kind == .ad {
      seen.document = address(of: page)
      if let inventory = await inventory(of: page) {
        let zoom = page.view.zoom
        seen.targets = inventory.targets.map { placed($0, on: layer, zoom) }
        seen.surfaces = inventory.surfaces.map { placed($0, on: layer, zoom) }
        seen.fields = inventory.fields.map { placed($0, on: layer, zoom) }
        seen.isCut = inventory.cut
        seen.text = inventory.text
        seen.fingerprint = inventory.fingerprint
      }
    }
    seen.events = render.recorder.events.count
    seen.transitions = render.transitions.count
    return seen
  }

  /// Where the close control will be that a container still withholds: a person would wait for it.
  private var laterClose: Rect? {
    guard let top = render.modalManager.stack.top, top.properties.closeDelayLeft > 0,
      let layer = render.stage.screen.layer(showing: top.displayView)
    else { return nil }
    return render.stage.screen.closeControlLayer(for: layer.frame).frame
  }

  /// Where the ad looks otherwise than in an earlier picture, in dip of the screen.
  func change(since last: Bitmap?, to now: Bitmap?) async -> Rect? {
    guard let last, let now,
      let difference = await render.clock.hold({ await Self.difference(last, now) })
    else { return nil }
    let corner =
      render.stage.topAdPage.flatMap { render.stage.screen.layer(showing: $0.id) }?.viewFrame.origin ?? .zero
    let scale = Double(render.stage.screen.device.renderScale)
    return Rect(
      x: corner.x + Double(difference.x) / scale, y: corner.y + Double(difference.y) / scale,
      width: Double(difference.width) / scale, height: Double(difference.height) / scale)
  }

  @concurrent private nonisolated static func difference(_ a: Bitmap, _ b: Bitmap) async -> PixelRect? {
    a.difference(to: b)
  }

  private func inventory(of page: AdPage) async -> Inventory? {
    guard let answer = await page.inventory(),
      let text = try? JSONDecoder().decode(String.self, from: Data(answer.utf8))
    else { return nil }
    return PageAnswer.decode(from: text)
  }

  /// The target where it is on the screen, and whether a finger there meets the ad at all.
  private func placed(_ target: TapTarget, on layer: Layer, _ zoom: Double) -> TapTarget {
    var target = target
    target.point = placed(target.point, on: layer, zoom)
    target.frame = target.frame.scaled(by: zoom).offset(x: layer.viewFrame.x, y: layer.viewFrame.y)
    guard target.reach == .tappable, layer.viewFrame.contains(target.point) else { return target }
    switch render.stage.screen.hitTest(target.point) {
    case let hit? where hit.viewID == layer.viewID: break
    case let hit? where hit.kind == .closeControl: target.reach = .underClose
    // What the host shows above the ad isn't the ad's fault.
    case let hit? where hit.kind == .browser || hit.kind == .scrim: break
    default: target.reach = .offScreen
    }
    return target
  }

  /// A point of the page's on the screen.
  private func placed(_ point: Point, on layer: Layer, _ zoom: Double) -> Point {
    Point(x: point.x * zoom + layer.viewFrame.x, y: point.y * zoom + layer.viewFrame.y)
  }

  private func placed(_ surface: SwipeSurface, on layer: Layer, _ zoom: Double) -> SwipeSurface {
    var surface = surface
    surface.frame = surface.frame.scaled(by: zoom).offset(x: layer.viewFrame.x, y: layer.viewFrame.y)
    return surface
  }

  private func placed(_ field: EntryField, on layer: Layer, _ zoom: Double) -> EntryField {
    var field = field
    field.point = placed(field.point, on: layer, zoom)
    return field
  }

  private func address(of page: AdPage) -> String { plain(addresses.display(page.view.url)) }

  /// Where the host's browser or player is.
  private var opened: String? {
    switch render.modalManager.stack.top?.kind {
    case .browser(let url), .video(let url): plain(url)
    default: nil
    }
  }

  /// Without what differs from one visit to the next.
  private func plain(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

  private var rest: Observation.Rest {
    render.photographer.lastSettling.flatMap { Observation.Rest(rawValue: $0.rawValue) } ?? .moving
  }
}

extension ScenarioRunner {
  /// How long an action that led to nothing yet is given: pages act after animations and timers of their own.
  private static let patience = Duration.milliseconds(600)
  /// How often the page is looked at meanwhile.
  private static let glance = Duration.milliseconds(100)
  /// Seconds of watching after which a state that was found then isn't waited for any longer.
  private static let longestWatch = 5.0

  /// Lets the ad come to rest, then notes and pictures what is there.
  func observe(_ moment: String) async throws(Fault) {
    let surveyor = Surveyor(render: render, addresses: session.context.addresses)
    await restsAsLongAsAsked()
    if let before = session.observations.last {
      await awaitChange(since: before, surveyor)
      await restsAsLongAsAsked()
    }
    let last = session.observations.isEmpty ? nil : render.photographer.lastAd
    try await screenshot(moment)
    var seen = await surveyor.observe(moment)
    seen.changed = await surveyor.change(since: last, to: render.photographer.lastAd)
    seen.picture = render.photographer.screenshots.last?.name
    session.observations.append(seen)
  }

  /// Waits until the screen shows what it showed when the state was found, which may have been much later after the load:
  /// what is to be touched may come by and by. A state that doesn't come again is taken as it is.
  func reach(_ state: StateSignature) async {
    let surveyor = Surveyor(render: render, addresses: session.context.addresses)
    let longest = min(render.job.options.watch ?? Meter.watch, Self.longestWatch)
    let end = render.clock.now + Bounded.seconds(longest) + Self.patience
    while render.clock.now < end, render.failure == nil, !Task.isCancelled {
      if StateSignature(await surveyor.observe("")) == state { return }
      await render.clock.sleep(for: Self.glance)
    }
  }

  private func restsAsLongAsAsked() async {
    await session.stability.staysPut(for: render.job.options.watch ?? StabilityWaiter.rest)
    await session.stability.arrives()
    _ = await session.stability.becomesQuiet()
    render.flushNetwork()
  }

  /// Returns once something came of what was done since, or patience is over.
  private func awaitChange(since before: Observation, _ surveyor: Surveyor) async {
    let recorder = render.recorder
    let end = render.clock.now + Self.patience
    while render.clock.now < end {
      let isDone: @WebKitActor () -> Bool = { recorder.events.dropFirst(before.events).contains(where: \.isEffect) }
      if isDone() || render.failure != nil { return }
      let now = await surveyor.observe("")
      if !now.hasSamePage(as: before) { return }
      _ = await recorder.wait(Self.glance, until: isDone)
    }
    // On a busy machine what the page wanted to do meanwhile may be late; it goes before a timer that begins now.
    guard !render.clock.isVirtual else { return }
    _ = try? await render.stage.topAdPage?.view.call("await new Promise((done) => setTimeout(done, 0)); return 0;")
  }
}
