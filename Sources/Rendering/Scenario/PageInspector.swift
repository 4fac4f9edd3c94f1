internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Foundation
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Takes snapshots of the screen: the host's part of it, and the page's own inventory in screen coordinates.
@EngineActor struct PageInspector {
  let render: RenderContext
  /// Addresses of the creative's files.
  let addresses: PageAddresses

  /// Answer of `inventory.js`.
  private struct Inventory: Decodable {
    var targets: [TapTarget]
    var surfaces: [SwipeSurface]
    var fields: [EntryField]
    var canvas: Rect?
    var cut: Bool
    var text: String
    var framed: String
    var fingerprint: String
  }

  /// Snapshot of the screen at this moment; a page that doesn't answer has nothing to tap in it.
  func observe(_ moment: String) async -> PageSnapshot {
    let stage = render.stage
    let close = stage.screen.layers.last { $0.kind == .closeControl }?.frame ?? laterClose
    var seen = PageSnapshot(
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
        seen.canvas = inventory.canvas?.scaled(by: zoom).offset(x: layer.viewFrame.x, y: layer.viewFrame.y)
        seen.isCut = inventory.cut
        seen.text = inventory.text
        seen.framedText = inventory.framed
        seen.fingerprint = inventory.fingerprint
      }
    }
    seen.events = render.recorder.events.count
    seen.transitions = render.transitions.count
    return seen
  }

  /// Frame of a close control that the container still delays, as a user would wait for it; nil for none.
  private var laterClose: Rect? {
    guard let top = render.modalManager.stack.top, top.properties.closeDelayLeft > 0,
      let layer = render.stage.screen.layer(showing: top.displayView)
    else { return nil }
    return render.stage.screen.closeControlLayer(for: layer.frame).frame
  }

  /// Area in which the ad differs from an earlier image, in dip of the screen; nil if there is no difference or no
  /// image.
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

  /// Copy of the target in screen coordinates, with its reach corrected if a finger there doesn't reach the ad.
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

  /// Converts a point of the page to screen coordinates.
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

  /// Address that the host's browser or player was opened for, without query and fragment; nil if none is open.
  private var opened: String? {
    switch render.modalManager.stack.top?.kind {
    case .browser(let url), .video(let url): plain(url)
    default: nil
    }
  }

  /// Removes the query and the fragment, which differ from one visit to the next.
  private func plain(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

  private var rest: PageSnapshot.Rest {
    render.capturer.lastSettling.flatMap { PageSnapshot.Rest(rawValue: $0.rawValue) } ?? .unstable
  }
}
