internal import Core
internal import Pixels
internal import RenderModel

/// Gathers the frames of a filmstrip at the page's own size and writes them as a sheet and as an animation.
struct FilmstripWriter: Sendable {
  private let strip: CaptureSchedule.Filmstrip
  /// Physical pixels per dip of the pictures that come.
  private let scale: Int
  private(set) var frames: [Bitmap] = []
  private var timestamps: [Double] = []

  init(_ strip: CaptureSchedule.Filmstrip, scale: Int) {
    self.strip = strip
    self.scale = scale
  }

  /// Adds a frame; one of another size than the first, as after a resize, is cut to it or gets room.
  mutating func add(_ screenshot: Bitmap, at seconds: Double) {
    let frame = screenshot.reduced(by: scale)
    guard frame.width > 0, frame.height > 0 else { return }
    timestamps.append(seconds)
    guard let first = frames.first, (first.width, first.height) != (frame.width, frame.height) else {
      return frames.append(frame)
    }
    var fitted = Bitmap(width: first.width, height: first.height, fill: .white)
    fitted.blit(frame, x: 0, y: 0)
    frames.append(fitted)
  }

  /// Writes both files; nil without a frame.
  @concurrent func write(to folder: String) async throws(Fault) -> RenderRecord.Filmstrip? {
    guard !frames.isEmpty else { return nil }
    let (sheet, animation) = ("filmstrip.png", "filmstrip-animation.png")
    do throws(PNGError) {
      let captions = timestamps.map { "\($0.plain)s" }
      try PNGEncoder.write(ContactSheet.draw(frames, captions: captions), to: "\(folder)/\(sheet)")
      let delay = UInt16(Bounded.int(strip.interval * 1_000, in: 0...65_535))
      try PNGAnimation.write(frames, delay: delay, to: "\(folder)/\(animation)")
    } catch {
      throw error.fault
    }
    return RenderRecord.Filmstrip(sheet: sheet, animation: animation, interval: strip.interval, frames: frames.count)
  }
}
