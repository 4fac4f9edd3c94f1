package import Core
package import Pixels
package import RenderModel

/// Collects the frames of a filmstrip at the page's own size and writes them as a sheet and as an animation.
package struct FilmstripWriter: Sendable {
  private let strip: CaptureSchedule.Filmstrip
  /// Physical pixels per dip of the screenshots added.
  private let scale: Int
  private var frames: [Bitmap] = []
  private var timestamps: [Double] = []

  package init(_ strip: CaptureSchedule.Filmstrip, scale: Int) {
    self.strip = strip
    self.scale = scale
  }

  /// Adds a frame; one whose size differs from the first, as after a resize, is cropped or padded with white.
  package mutating func add(_ screenshot: Bitmap, at seconds: Double) {
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

  /// Writes both files; nil without frames.
  @concurrent package func write(to folder: String) async throws(Fault) -> RenderRecord.Filmstrip? {
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
