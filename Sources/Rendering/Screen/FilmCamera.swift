internal import Core
internal import Device
internal import Engine
internal import Files
internal import Hosting
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Records the screen frame by frame: time waits for each frame, and only frames that differ are composed and stored.
@EngineActor final class FilmCamera {
  /// Number of frames after which every visible page draws each frame.
  private static let unsteadyFrames = 3
  /// Duration for which the trace of a finger is visible.
  private static let trace = Duration.milliseconds(500)

  private struct Touch {
    let point: Point
    let time: Duration
  }

  private weak var render: RenderContext?
  private let film: FilmRequest
  private let path: String
  private var reel: FilmReelWriter?
  private var lastContents: FrameContents?
  private var lastTrace: FingerTrace?
  private var touch: Touch?
  private var isStopped = false
  private var work: Task<Void, Never>?

  init(_ render: RenderContext, _ film: FilmRequest, folder: ResultFolder) {
    (self.render, self.film, path) = (render, film, folder.film)
  }

  /// Records all frames that the job asks for.
  func takeAll() async {
    guard let render else { return }
    let clock = render.clock
    // A page that has just come into view gets its first frames when the machine is ready for that, and first looked at
    // it may draw once more.
    for _ in 0..<Self.unsteadyFrames {
      _ = try? await clock.hold { try await render.capturer.frame() }
      await clock.sleep(for: .microseconds(1))
    }
    let begin = clock.frame
    for number in 0..<film.frames {
      await clock.comes(to: begin + .microseconds(film.time(of: number)))
      guard !isStopped, render.failure == nil, !render.isOver, !Task.isCancelled else { break }
      do {
        try await clock.hold { try await self.takeFrame(render) }
      } catch let error as SystemError {
        return render.fail(.writing(path, error))
      } catch {
        // A page that goes elsewhere at this very instant shows what it showed.
        guard render.failure == nil, render.rerun == nil, let reel else { continue }
        try? await reel.add(nil)
      }
    }
    do {
      try await reel?.finish()
    } catch {
      render.fail(.writing(path, error))
    }
  }

  /// Starts the recording as a task of its own.
  func start() { work = Task { @EngineActor [self] in await takeAll() } }

  /// Ends the recording, which keeps the frames taken so far.
  func stop() async {
    isStopped = true
    await work?.value
  }

  /// Notes the point of a touch, which is visible for a while.
  func noteTouch(at point: Point) {
    guard let render, film.view == .screen else { return }
    touch = Touch(point: point, time: render.clock.frame)
  }

  private func takeFrame(_ render: RenderContext) async throws {
    let contents = try await render.capturer.frame()
    let trace = touch.flatMap { FingerTrace(of: $0.point, age: (render.clock.frame - $0.time) / Self.trace) }
    guard contents != lastContents || trace != lastTrace || reel == nil else {
      try await reel?.add(nil)
      return
    }
    (lastContents, lastTrace) = (contents, trace)
    let (film, scale) = (film, render.job.device.renderScale)
    guard let image = await Self.image(contents, trace, film, scale) else { return }
    let reel =
      try self.reel
      ?? FilmReelWriter(
        path: path, width: image.width, height: image.height, rate: film.rate.rawValue)
    self.reel = reel
    try await reel.add(image)
  }

  /// Image of a frame; nil if there is nothing to see yet.
  @concurrent private nonisolated static func image(
    _ contents: FrameContents, _ trace: FingerTrace?, _ film: FilmRequest, _ scale: Int
  ) async -> Bitmap? {
    let reduction = max(1, scale / max(1, film.scale))
    switch film.view {
    case .ad:
      guard let ad = contents.ad, ad.width > 0, ad.height > 0 else { return nil }
      return ad.reduced(by: reduction)
    case .screen:
      var image = Compositor().compose(contents.screen, views: contents.pages)
      trace?.draw(on: &image, scale: Double(scale))
      return image.reduced(by: reduction)
    }
  }
}

/// Visible trace of a finger: a disc that fades.
private struct FingerTrace: Equatable {
  /// Radius in dip.
  private static let radius = 22.0

  private let point: Point
  /// Opacity from 1 to 0.
  private let strength: Double

  /// Creates a trace; nil for one that has faded.
  init?(of point: Point, age: Double) {
    guard (0..<1).contains(age) else { return nil }
    // In steps, lest each frame differs from the one before.
    (self.point, strength) = (point, 1 - (age * 10).rounded(.down) / 10)
  }

  func draw(on picture: inout Bitmap, scale: Double) {
    let center = PixelPoint(x: point.x * scale, y: point.y * scale)
    let alpha = UInt8(Bounded.int(150 * strength, in: 0...255))
    picture.fillCircle(
      center: center, radius: Self.radius * scale, color: Color(red: 255, green: 255, blue: 255, alpha: alpha))
    picture.fillCircle(
      center: center, radius: (Self.radius - 3) * scale, color: Color(red: 40, green: 90, blue: 200, alpha: alpha))
  }
}
