internal import AdManager
internal import Core
internal import Device
internal import Files
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Takes the pictures of a render: the whole screen, and the ad alone.
@WebKitActor final class ScreenshotCapture {
  private let stage: StageController
  private let recorder: Recorder
  private let folder: ResultFolder
  private let clock: RenderClock
  private var writer: ScreenshotWriter
  private(set) var screenshots: [RenderRecord.Screenshot] = []
  /// How the wait ended before the last picture; nil before the first.
  private(set) var lastSettling: VisualStability.Outcome.End?
  /// The ad alone as it was pictured last.
  private(set) var lastAd: Bitmap?
  /// Characters in whose place pictures have boxes, each once.
  private(set) var boxes: [Character] = []
  /// Whether pages that only a compositor draws right are looked for, and who is told.
  private let mindsDepth: Bool
  var onDepth: (() -> Void)?
  /// The feed's ads of which something can be seen; nil where there is no feed.
  var seenAds: (() -> [String])?
  /// A creative that changes state for ever gets so many pictures.
  private static let capacity = 60

  /// - Parameter encoder: of all screenshots of this process, which keeps what they have in common.
  init(
    stage: StageController, recorder: Recorder, folder: ResultFolder, clock: RenderClock, mindsDepth: Bool,
    encoder: ScreenshotEncoder
  ) {
    writer = ScreenshotWriter(encoder: encoder)
    self.clock = clock
    self.mindsDepth = mindsDepth
    self.stage = stage
    self.recorder = recorder
    self.folder = folder
  }

  var isFull: Bool { screenshots.count >= Self.capacity }

  /// Waits until what is on top has settled, then takes the screen and the ad.
  func takeScreenshot(_ name: String, state: MRAIDState) async throws {
    guard !isFull, let top = stage.topPage else { return }
    let settled = try await settle(top)
    for page in stage.screen.feed == nil ? [top] : stage.pagesOnScreen { try await checkDepth(of: page) }
    lastSettling = settled.end
    recorder.record(
      .host, "settled",
      [
        "end": .string(settled.end.rawValue), "fonts": .bool(settled.fonts),
      ])
    if !settled.letters.isEmpty {
      boxes += await LetterProbe(page: top, clock: clock).boxes(among: settled.letters).filter { !boxes.contains($0) }
    }
    let pictures = try await pictures(besides: [top.id: settled.screenshot])
    lastAd = stage.topAdPage.flatMap { pictures[$0.id] }
    file(name, state: state, pictures: pictures, ad: lastAd ?? pictures[.creative])
  }

  /// Takes what is there at this very instant, and files it if it has a name; the ad alone, where there is one.
  func takeNow(_ name: String?, state: MRAIDState, at seconds: Double?) async throws -> Bitmap? {
    let sight = try await look()
    if let name, !isFull { file(name, state: state, at: seconds, pictures: sight.pages, ad: sight.ad) }
    return sight.ad
  }

  /// What is there at this very instant, kept by whoever asks.
  func look() async throws -> ScreenshotWriter.Sight {
    try await checkDepth(of: stage.topPage)
    let pictures = try await pictures(besides: [:])
    let ad = stage.topAdPage.flatMap { pictures[$0.id] } ?? pictures[.creative]
    return ScreenshotWriter.Sight(screen: stage.screen, pages: pictures, ad: ad)
  }

  /// What every page on the screen shows.
  private func pictures(besides known: [AdViewID: Bitmap]) async throws -> [AdViewID: Bitmap] {
    var pictures = known
    for layer in stage.screen.layers {
      guard let id = layer.viewID, pictures[id] == nil, let page = stage.pages[id],
        stage.screen.shownFrame(of: layer) != nil
      else { continue }
      pictures[id] = try await page.screenshot(clock)
    }
    return pictures
  }

  private func checkDepth(of page: AdPage?) async throws {
    guard let page, mindsDepth, !page.view.isComposited, try await DepthProbe.finds(in: page.view) else { return }
    onDepth?()
    throw DepthProbe.CompositorNeeded()
  }

  /// A page that isn't on the screen isn't waited for: nothing of it can be seen to move.
  private func settle(_ page: AdPage) async throws -> VisualStability.Outcome {
    guard stage.screen.layer(showing: page.id) != nil else {
      return VisualStability.Outcome(end: .stable, fonts: true, frames: 1, screenshot: try await page.screenshot(clock))
    }
    return try await VisualStability(page: page, clock: clock).settle()
  }

  /// Keeps a picture that somebody else has put together.
  func keep(_ screenshot: Bitmap, as name: String) {
    let target = enter(name, state: .default, at: nil, width: screenshot.width, height: screenshot.height)
    writer.write(screenshot, to: target)
  }

  /// Waits until every picture is on disk; the first failure, if any.
  func finish() async -> Fault? { await writer.finish() }

  private func file(
    _ name: String, state: MRAIDState, at timestamp: Double? = nil, pictures: [AdViewID: Bitmap], ad: Bitmap?
  ) {
    let screen = stage.screen
    let size = screen.pixelFrame(of: screen.bounds)
    let target = enter(
      name, state: state, at: timestamp, width: size.width, height: size.height,
      contentShare: ad.map { ($0.contentShare * 1_000).rounded() / 1_000 })
    writer.write(ScreenshotWriter.Sight(screen: screen, pages: pictures, ad: ad), to: target)
  }

  /// Enters a picture in the list; where its file goes, without the ending.
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
    if let ads = seenAds?(), !ads.isEmpty { detail["ads"] = .array(ads.map { .string($0) }) }
    recorder.record(.host, "screenshot", .object(detail))
    return "\(folder.screenshots)/\(full)"
  }
}

/// Puts pictures on disk, off the web thread. What looks like the sight before it, as an ad at rest does at one instant
/// after another, isn't composed and encoded again.
struct ScreenshotWriter: Sendable {
  /// All that the files of one picture come from.
  struct Sight: Equatable, Sendable {
    let screen: Screen
    /// What every page on the screen shows.
    let pages: [AdViewID: Bitmap]
    /// The ad alone, for a file of its own.
    let ad: Bitmap?
  }

  private struct Files: Sendable {
    let screen: [UInt8]
    let ad: [UInt8]?
  }

  private let encoder: ScreenshotEncoder

  /// - Parameter encoder: what screenshots have in common stays with it.
  init(encoder: ScreenshotEncoder) {
    self.encoder = encoder
  }

  private typealias Encoding = Task<Result<Files, PNGError>, Never>

  private var last: (sight: Sight, files: Encoding)?
  private var writes: [Task<Fault?, Never>] = []
  /// How many sights were encoded, of those written.
  private(set) var encoded = 0

  /// Writes `target.png` and, of the ad alone, `target-ad.png`.
  mutating func write(_ sight: Sight, to target: String) {
    let files = files(of: sight)
    writes.append(Task { await Self.write(files, to: target) })
  }

  /// Writes `target.png` as it is.
  mutating func write(_ screenshot: Bitmap, to target: String) {
    writes.append(Task { await Self.write(screenshot, to: target) })
  }

  /// Waits until every picture is on disk; the first failure, if any.
  func finish() async -> Fault? {
    var first: Fault?
    for write in writes { first = await write.value ?? first }
    return first
  }

  private mutating func files(of sight: Sight) -> Encoding {
    if let last, last.sight == sight { return last.files }
    let files = Task { [encoder] in await Self.encode(sight, encoder) }
    last = (sight, files)
    encoded += 1
    return files
  }

  @concurrent private static func encode(
    _ sight: Sight, _ encoder: ScreenshotEncoder
  ) async -> Result<Files, PNGError> {
    do throws(PNGError) {
      let screen = try encoder.encode(sight.screen, views: sight.pages)
      guard let ad = sight.ad else { return .success(Files(screen: screen, ad: nil)) }
      return .success(Files(screen: screen, ad: try PNGEncoder.encode(ad)))
    } catch {
      return .failure(error)
    }
  }

  @concurrent private static func write(
    _ files: Encoding, to target: String
  ) async -> Fault? {
    do throws(PNGError) {
      let files = try await files.value.get()
      try PNGFile.write(files.screen, to: "\(target).png")
      if let ad = files.ad { try PNGFile.write(ad, to: "\(target)-ad.png") }
      return nil
    } catch {
      return error.fault
    }
  }

  @concurrent private static func write(_ screenshot: Bitmap, to target: String) async -> Fault? {
    do {
      try PNGEncoder.write(screenshot, to: "\(target).png")
      return nil
    } catch {
      return error.fault
    }
  }
}

/// Whether something on a page has depth, or is seen through: what only a compositor draws.
@WebKitActor enum DepthProbe {
  /// The page can't be pictured as it is.
  struct CompositorNeeded: Error {}

  /// True when any box, in frames and open shadow trees too, is turned in space or filters what lies behind it.
  static func finds(in view: WebView) async throws -> Bool { try await view.call(script) == "true" }

  /// The most elements looked at.
  private static let most = 20_000

  private static let script = """
    let left = \(most);
    const isDeep = (style) => style.transform.startsWith("matrix3d")
      || (style.backdropFilter || style.webkitBackdropFilter || "none") !== "none";
    const sees = (element) => ["", "::before", "::after"].some((part) => isDeep(getComputedStyle(element, part)))
      && element.getClientRects().length > 0;
    const below = (element) => {
      try { return element.shadowRoot ?? element.contentDocument; } catch { return null; }
    };
    // A name on the page may stand in the way of the document's own members.
    const all = (root) => (root instanceof ShadowRoot ? ShadowRoot : Document).prototype.querySelectorAll.call(root, "*");
    const search = (root) => [...all(root)].some((element) => {
      left -= 1;
      if (left < 0) return false;
      const inner = below(element);
      return sees(element) || inner && search(inner);
    });
    return search(document);
    """
}

extension PNGError {
  /// What a picture that couldn't be written means.
  var fault: Fault {
    if case .file(_, let path, let number) = self { return .writing(path, SystemError(number)) }
    return .engine(code, description)
  }
}
