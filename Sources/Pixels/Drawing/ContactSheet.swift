/// Frames side by side in rows, each over the instant at which it was taken.
package enum ContactSheet {
  private static let gap = 10
  /// Room for a line of text below a frame.
  private static let caption = 22
  private static let dot = 2
  /// How wide a sheet gets before the frames go on below; a single frame may be wider.
  private static let width = 1600

  /// Draws the frames, all of one size; `captions` say of what digits, points and `s` can say.
  package static func draw(_ frames: [Bitmap], captions: [String]) -> Bitmap {
    guard let first = frames.first else { return Bitmap(width: 0, height: 0, pixels: []) }
    let (across, down) = (first.width + gap, first.height + caption + gap)
    let columns = max(1, min(frames.count, (width - gap) / across))
    let rows = (frames.count + columns - 1) / columns
    var sheet = Bitmap(width: columns * across + gap, height: rows * down + gap, fill: Color(rgb: 0xE8_E8E8))
    for (index, (frame, text)) in zip(frames, captions).enumerated() {
      let (x, y) = (gap + index % columns * across, gap + index / columns * down)
      sheet.blit(frame, x: x, y: y)
      sheet.draw(text, x: x, y: y + first.height + 4, size: dot, color: Color(rgb: 0x33_3333))
    }
    return sheet
  }
}
