internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Takes the screenshots of a render: the whole screen, and the ad alone.
@EngineActor final class ScreenshotCapturer {
  private let stage: StageController
  private let recorder: Recorder
  private let folder: ResultFolder
  private let clock: RenderClock
  private var writer: FrameWriter
  private(set) var screenshots: [RenderRecord.Screenshot] = []
  /// End of the wait before the last screenshot; nil before the first.
  private(set) var lastSettling: VisualStability.Outcome.End?
  /// Image of the ad alone in the last screenshot.
  private(set) var lastAd: Bitmap?
  /// Characters for which screenshots show boxes, each once.
  private(set) var boxes: [Character] = []
  /// Indicates if pages are checked for depth, which needs a compositor; the render is given up if it is found.
  private let mindsDepth: Bool
  /// Render that the screenshots are of.
  private weak var render: RenderContext?
  /// Maximum number of screenshots, as a creative may change its state endlessly.
  private static let capacity = 60

  /// - Parameter encoder: the encoder of all screenshots of this process, which keeps data common to them.
  init(
    stage: StageController, recorder: Recorder, folder: ResultFolder, clock: RenderClock, mindsDepth: Bool,
    encoder: ScreenEncoder
  ) {
    writer = FrameWriter(encoder: encoder)
    self.clock = clock
    self.mindsDepth = mindsDepth
    self.stage = stage
    self.recorder = recorder
    self.folder = folder
  }

  /// Sets the render that the screenshots are of.
  func attach(to render: RenderContext) { self.render = render }

  var isFull: Bool { screenshots.count >= Self.capacity }

  /// Waits until the topmost page has settled, then takes the screen and the ad.
  func capture(_ name: String, state: MRAIDState) async throws {
    guard !isFull, let top = stage.topPage else { return }
    let settled = try await settle(top)
    for page in stage.screen.feed == nil ? [top] : stage.pagesOnScreen { try await checkDepth(of: page) }
    lastSettling = settled.end
    recorder.record(
      .host, .settled,
      [
        "end": .string(settled.end.rawValue), "fonts": .bool(settled.fonts),
      ])
    if !settled.letters.isEmpty {
      boxes += await LetterProbe(page: top, clock: clock).boxes(among: settled.letters).filter { !boxes.contains($0) }
    }
    let pages = try await images(besides: [top.id: settled.screenshot])
    lastAd = stage.topAdPage.flatMap { pages[$0.id] }
    file(FrameContents(screen: stage.screen, pages: pages, ad: lastAd ?? pages[.creative]), name, state: state)
  }

  /// Takes a screenshot immediately and files it if it has a name; returns the ad alone, nil if there is none.
  func captureNow(_ name: String?, state: MRAIDState, at seconds: Double?) async throws -> Bitmap? {
    let contents = try await frame()
    if let name, !isFull { file(contents, name, state: state, at: seconds) }
    return contents.ad
  }

  /// Returns the present content of the screen without filing it.
  func frame() async throws -> FrameContents {
    try await checkDepth(of: stage.topPage)
    let pages = try await images(besides: [:])
    let ad = stage.topAdPage.flatMap { pages[$0.id] } ?? pages[.creative]
    return FrameContents(screen: stage.screen, pages: pages, ad: ad)
  }

  /// Images of all pages on the screen.
  private func images(besides known: [AdViewID: Bitmap]) async throws -> [AdViewID: Bitmap] {
    var images = known
    for layer in stage.screen.layers {
      guard let id = layer.viewID, images[id] == nil, let page = stage.pages[id],
        stage.screen.shownFrame(of: layer) != nil
      else { continue }
      images[id] = try await page.screenshot(clock)
    }
    return images
  }

  private func checkDepth(of page: AdPage?) async throws {
    guard let page else { return }
    guard !page.view.isComposited else { return try await warnOfCrowd(on: page) }
    guard mindsDepth, try await DepthProbe.finds(in: page.view) else { return }
    render?.giveUp(
      for: .composited,
      .engine("compositor-missing", "the creative uses 3D or a backdrop filter, which requires the compositor"))
    throw DepthProbe.CompositorNeeded()
  }

  /// Warns once of layers that the engine's compositor may draw in another order.
  private func warnOfCrowd(on page: AdPage) async throws {
    let warning =
      "more than 16 layers lie in one plane of a 3D scene, and the engine may draw some behind others; "
      + "use scale() instead of scale3d(), or leave out transform-style: preserve-3d"
    guard let render, !render.warnings.contains(warning), try await DepthProbe.findsCrowd(in: page.view) else { return }
    render.warnings.append(warning)
  }

  /// Waits until a page has settled; a page that isn't on the screen isn't waited for, as its movement can't be seen.
  private func settle(_ page: AdPage) async throws -> VisualStability.Outcome {
    guard stage.screen.layer(showing: page.id) != nil else {
      return VisualStability.Outcome(end: .stable, fonts: true, frames: 1, screenshot: try await page.screenshot(clock))
    }
    return try await VisualStability(page: page, clock: clock).settle()
  }

  /// Files an image that other code has composed.
  func add(_ image: Bitmap, as name: String) {
    let target = enter(name, state: .default, at: nil, width: image.width, height: image.height)
    writer.write(image, to: target)
  }

  /// Waits until every screenshot is on disk; returns a failure, if any.
  func finish() async -> Fault? { await writer.finish() }

  private func file(_ contents: FrameContents, _ name: String, state: MRAIDState, at timestamp: Double? = nil) {
    let size = contents.screen.pixelFrame(of: contents.screen.bounds)
    let target = enter(
      name, state: state, at: timestamp, width: size.width, height: size.height,
      contentShare: contents.ad.map { ($0.contentShare * 1_000).rounded() / 1_000 })
    writer.write(contents, to: target)
  }

  /// Adds a screenshot to the list; returns the path of its file without the extension.
  private func enter(
    _ name: String, state: MRAIDState, at timestamp: Double?, width: Int, height: Int, contentShare: Double? = nil
  ) -> String {
    let number = String(screenshots.count + 1)
    let full = String(repeating: "0", count: max(0, 3 - number.count)) + number + "-" + name
    screenshots.append(
      RenderRecord.Screenshot(
        name: full, path: "screenshots/\(full).png", state: state, t: recorder.now, at: timestamp, width: width,
        height: height, contentShare: contentShare))
    var detail: [String: JSONValue] = ["name": .string(full)]
    if let ads = render?.content?.adsInSight, !ads.isEmpty { detail["ads"] = .array(ads.map { .string($0) }) }
    recorder.record(.host, .screenshot, .object(detail))
    return "\(folder.screenshots)/\(full)"
  }
}
