internal import AdExperience
internal import Jobs
internal import MRAID
internal import Pixels
internal import Stage
internal import WebKitRuntime

/// Takes the pictures of a render: the whole screen, and the ad alone; writes them off the web thread.
@WebKitActor final class Photographer {
  private let stage: StageController
  private let recorder: Recorder
  private let folder: OutputFolder
  private let clock: RenderClock
  private var writes: [Task<Fault?, Never>] = []
  private(set) var screenshots: [RenderRecord.Screenshot] = []
  /// The ad alone as it was pictured last.
  private(set) var lastAd: Bitmap?
  /// A creative that changes state for ever gets so many pictures.
  static let capacity = 60

  init(stage: StageController, recorder: Recorder, folder: OutputFolder, clock: RenderClock) {
    self.clock = clock
    self.stage = stage
    self.recorder = recorder
    self.folder = folder
  }

  var isFull: Bool { screenshots.count >= Self.capacity }

  /// Waits until what is on top has settled, then takes the screen and the ad.
  func take(_ name: String, state: MRAIDState) async throws {
    guard !isFull, let top = stage.topPage else { return }
    let settled = try await settle(top)
    recorder.record(.host, "settled", [
      "end": .string(settled.end.rawValue), "fonts": .bool(settled.fonts),
    ])
    var pictures = [top.id: settled.picture]
    for layer in stage.screen.layers {
      guard let id = layer.viewID, pictures[id] == nil, let page = stage.pages[id] else { continue }
      pictures[id] = try await page.view.snapshot()
    }
    lastAd = stage.topAdPage.flatMap { pictures[$0.id] }
    let ad = stage.topAdPage.flatMap { pictures[$0.id] } ?? pictures[.creative]
    file(name, state: state, pictures: pictures, ad: ad)
  }

  /// A page that isn't on the screen isn't waited for: nothing of it can be seen to move.
  private func settle(_ page: AdPage) async throws -> Settling.Outcome {
    guard stage.screen.layer(showing: page.id) != nil else {
      return Settling.Outcome(end: .still, fonts: true, frames: 1, picture: try await page.view.snapshot())
    }
    return try await Settling(page: page, clock: clock).settle()
  }

  /// Waits until every picture is on disk; the first failure, if any.
  func finish() async -> Fault? {
    var first: Fault?
    for write in writes { first = await write.value ?? first }
    return first
  }

  private func file(_ name: String, state: MRAIDState, pictures: [AdViewID: Bitmap], ad: Bitmap?) {
    let number = String(screenshots.count + 1)
    let full = String(repeating: "0", count: max(0, 3 - number.count)) + number + "-" + name
    let path = "screenshots/\(full).png"
    let screen = stage.screen
    let size = screen.pixelFrame(of: screen.bounds)
    screenshots.append(
      RenderRecord.Screenshot(
        name: full, path: path, state: state, t: recorder.now, width: size.width, height: size.height))
    recorder.record(.host, "screenshot", ["name": .string(full)])
    let target = "\(folder.path)/screenshots/\(full)"
    writes.append(Task { await Self.write(screen, pictures, ad, to: target) })
  }

  /// Composes, encodes and writes, on the global executor.
  @concurrent private nonisolated static func write(
    _ screen: Screen, _ pictures: [AdViewID: Bitmap], _ ad: Bitmap?, to target: String
  ) async -> Fault? {
    do {
      try PNGEncoder.write(Compositor().compose(screen, views: pictures), to: "\(target).png")
      if let ad { try PNGEncoder.write(ad, to: "\(target)-ad.png") }
      return nil
    } catch {
      return OutputFolder.fault(error)
    }
  }
}
