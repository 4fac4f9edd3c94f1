internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Audits the ad's page and its screenshot.
@EngineActor struct PageAuditor {
  let render: RenderContext

  /// Audits the ad's page; nil unless the ad is topmost.
  func audit(_ state: MRAIDState, picture: String?, of bitmap: Bitmap?) async -> PageAudit? {
    let stage = render.stage
    guard let page = stage.topAdPage, page.id == stage.topPage?.id, stage.screen.layer(showing: page.id) != nil,
      state != .hidden
    else { return nil }
    var audit = PageAudit(
      state: state, t: render.recorder.now, screenshot: picture, width: Double(page.view.width),
      height: Double(page.view.height))
    audit.document = await document(of: page)
    if let clipped = audit.document?.clipped, !clipped.isEmpty {
      // What flies in is cut off on its way: only what stays where it is, is.
      await render.clock.sleep(for: Self.glance)
      if let now = await document(of: page)?.clipped { audit.document?.clipped = clipped.still(in: now) }
    }
    guard let bitmap else { return audit }
    let scale = stage.screen.device.renderScale
    let controls = audit.document?.closeControls.map(\.element.frame) ?? []
    // Looking at it takes the machine's time, not the ad's.
    let (surface, contrasts) = await render.clock.hold { await Self.look(at: bitmap, controls, scale: scale) }
    audit.surface = surface
    for (index, contrast) in contrasts.enumerated() { audit.document?.closeControls[index].contrast = contrast }
    return audit
  }

  /// Interval between two looks at clipped text.
  private static let glance = Duration.milliseconds(250)

  /// Audit of the page's document at this moment; nil if it doesn't answer, which adds a warning.
  ///
  /// If the script fails in a document the render fails too, as most checks would have no data.
  func document(of page: AdPage) async -> DocumentAudit? {
    do throws(ScriptError) {
      let question = PageQuestion(page: page, clock: render.clock)
      let document: DocumentAudit? = try await question.answer(to: PackageResources.audit_js)
      return document?.zoomed(by: page.view.zoom)
    } catch {
      guard render.failure == nil, error != .wentElsewhere, !Task.isCancelled else { return nil }
      guard !error.isThrown else {
        render.fail(.creative("measurement-prevented", "can't measure the ad's page: \(error)"))
        return nil
      }
      let warning = "a page of the ad didn't answer and wasn't measured"
      if !render.warnings.contains(warning) { render.warnings.append(warning) }
      return nil
    }
  }

  /// Audits the image: its surface, and the contrast of each of these controls.
  @concurrent private nonisolated static func look(
    at bitmap: Bitmap, _ controls: [Rect], scale: Int
  ) async -> (SurfaceAudit, [Double?]) {
    let edge = bitmap.edgeShares
    let surface = SurfaceAudit(
      isBlank: bitmap.isUniform, hasBorder: bitmap.hasBorder(scale: scale), whiteEdge: hundredths(edge.white),
      blackEdge: hundredths(edge.black))
    return (surface, controls.map { contrast(of: $0, in: bitmap, scale) })
  }

  /// Contrast between the main colours of a part of the image; frames are in dip of the ad.
  private nonisolated static func contrast(of frame: Rect, in bitmap: Bitmap, _ scale: Int) -> Double? {
    let factor = Double(scale)
    guard frame.width > 0, frame.height > 0, frame.width < 10_000, frame.height < 10_000,
      abs(frame.x) < 100_000, abs(frame.y) < 100_000
    else { return nil }
    let part = PixelRect(
      x: Bounded.int(frame.x * factor, in: -1_000_000...1_000_000),
      y: Bounded.int(frame.y * factor, in: -1_000_000...1_000_000),
      width: Bounded.int(frame.width * factor, in: 0...100_000),
      height: Bounded.int(frame.height * factor, in: 0...100_000))
    return bitmap.crop(part).contrast.map(hundredths)
  }

  private nonisolated static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension [DocumentAudit.Element] {
  /// Elements that are at the same place later.
  func still(in later: [DocumentAudit.Element]) -> [DocumentAudit.Element] {
    filter { element in later.contains { $0.stands(as: element) } }
  }
}

extension DocumentAudit.Element {
  /// Indicates that it is the same element and hasn't moved.
  fileprivate func stands(as other: DocumentAudit.Element) -> Bool {
    selector == other.selector && text == other.text && abs(frame.x - other.frame.x) < 1
      && abs(frame.y - other.frame.y) < 1
  }
}

extension DocumentAudit {
  /// Copy with lengths in dip, for a page that is drawn enlarged by this factor.
  func zoomed(by zoom: Double) -> DocumentAudit {
    guard zoom != 1 else { return self }
    var audit = self
    audit.unnamed = unnamed.map { $0.zoomed(by: zoom) }
    audit.clipped = clipped.map { $0.zoomed(by: zoom) }
    audit.textSizes = textSizes.map {
      TextSize(element: $0.element.zoomed(by: zoom), size: Self.tenths($0.size * zoom))
    }
    audit.closeControls = closeControls.map {
      CloseControl(element: $0.element.zoomed(by: zoom), contrast: $0.contrast)
    }
    audit.overflow.x = Self.tenths(overflow.x * zoom)
    audit.overflow.y = Self.tenths(overflow.y * zoom)
    return audit
  }

  fileprivate static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

extension DocumentAudit.Element {
  fileprivate func zoomed(by zoom: Double) -> Self {
    var element = self
    let box = frame.scaled(by: zoom)
    element.frame = Rect(
      x: DocumentAudit.tenths(box.x), y: DocumentAudit.tenths(box.y), width: DocumentAudit.tenths(box.width),
      height: DocumentAudit.tenths(box.height))
    return element
  }
}
