package import Core

/// Encoder of a recording as an animated GIF (GIF89a): one colour table, each change a part of the image.
package enum GIFEncoder {
  /// Minimum duration of a frame in hundredths of a second; players show a shorter one for ten.
  private static let shortest = 2

  /// Encodes the whole recording, which is read twice, as an endless loop.
  package static func encode(_ path: String, to sink: FilmSink) throws(Fault) {
    let palette = try GIFPalette(FilmReelReader(path))
    let reel = try FilmReelReader(path)
    try sink(head(width: reel.width, height: reel.height, palette))
    var indices = [UInt8](repeating: 0, count: reel.width * reel.height)
    var shown: [UInt8]?
    var (frames, begins, isLastShown) = (0, 0, true)
    while let shot = try reel.next() {
      frames += shot.count
      palette.update(&indices, with: shot)
      let ends = hundredths(frames, reel.rate)
      // What stands for less than a player shows gives way to the next.
      isLastShown = ends - begins >= shortest
      guard isLastShown else { continue }
      try sink(frame(indices, over: shown, width: reel.width, height: reel.height, delay: ends - begins))
      (shown, begins) = (indices, ends)
    }
    if !isLastShown {
      try sink(frame(indices, over: shown, width: reel.width, height: reel.height, delay: shortest))
    }
    try sink([0x3B])
  }

  private static func hundredths(_ frames: Int, _ rate: Int) -> Int { (frames * 100 + rate / 2) / rate }

  private static func head(width: Int, height: Int, _ palette: GIFPalette) -> [UInt8] {
    let table = (0..<256).flatMap { index -> [UInt8] in
      let color = index < palette.colors.count ? palette.colors[index] : 0
      return [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
    }
    return Array("GIF89a".utf8) + little(width) + little(height) + [0xF7, 0, 0] + table + [0x21, 0xFF, 11]
      + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
  }

  /// Returns a frame of the smallest rectangle around all changes, in which unchanged pixels are transparent.
  private static func frame(
    _ indices: [UInt8], over shown: [UInt8]?, width: Int, height: Int, delay: Int
  ) -> [UInt8] {
    let area =
      shown.map { changed(indices, from: $0, width: width, height: height) }
      ?? PixelRect(x: 0, y: 0, width: width, height: height)
    var part: [UInt8] = []
    part.reserveCapacity(area.width * area.height)
    for y in area.y..<area.maxY {
      for place in y * width + area.x..<y * width + area.maxX {
        part.append(shown?[place] == indices[place] ? GIFPalette.clear : indices[place])
      }
    }
    let control: [UInt8] = [0x21, 0xF9, 4, 1 << 2 | 1] + little(min(delay, 65_535)) + [GIFPalette.clear, 0]
    let place = [0x2C] + little(area.x) + little(area.y) + little(area.width) + little(area.height) + [0]
    return control + place + LZWPacker.pack(part)
  }

  /// Returns the rectangle around all changes; one pixel if there are none, since a frame must have one.
  private static func changed(_ new: [UInt8], from old: [UInt8], width: Int, height: Int) -> PixelRect {
    var (left, top, right, bottom) = (width, height, -1, -1)
    for y in 0..<height {
      let row = y * width..<(y + 1) * width
      guard let first = row.first(where: { new[$0] != old[$0] }), let last = row.last(where: { new[$0] != old[$0] })
      else { continue }
      (left, right) = (min(left, first - row.lowerBound), max(right, last - row.lowerBound))
      (top, bottom) = (min(top, y), y)
    }
    guard right >= 0 else { return PixelRect(x: 0, y: 0, width: 1, height: 1) }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
}

extension GIFPalette {
  /// Updates the colour indices of the pixels that a shot changed.
  fileprivate func update(_ indices: inout [UInt8], with shot: FilmReelReader.Shot) {
    let (picture, area) = (shot.picture, shot.changed)
    indices.withUnsafeMutableBufferPointer { indices in
      picture.pixels.withUnsafeBufferPointer { pixels in
        for y in area.y..<area.maxY {
          var last: (color: UInt32, index: UInt8)?
          for x in area.x..<area.maxX {
            let (place, color) = (y * picture.width + x, pixels[y * picture.width + x] & 0xFF_FFFF)
            // Neighbours are of one colour as often as not, and looking it up takes long.
            if isExact, let last, last.color == color {
              indices[place] = last.index
            } else {
              indices[place] = index(of: color, x: x, y: y)
              last = (color, indices[place])
            }
          }
        }
      }
    }
  }
}

/// Compressor of GIF: Lempel, Ziv and Welch, with codes of 9 to 12 bits.
private struct LZWPacker {
  private static let clear = 256
  private static let end = 257
  private static let mostCodes = 4_096

  private var bits: UInt32 = 0
  private var held = 0
  private var bytes: [UInt8] = []
  private var width = 9
  /// Next code, and the code for each combination of a prefix and a colour.
  private var next = 258
  private var codes = [Int16](repeating: -1, count: mostCodes * 256)
  private var used: [Int] = []

  /// Returns the data after a frame's position: the width of a colour, the codes in blocks, and an empty block.
  static func pack(_ indices: [UInt8]) -> [UInt8] {
    var packer = LZWPacker()
    packer.put(clear)
    var prefix = Int(indices.first ?? 0)
    for index in indices.dropFirst() { packer.append(index, to: &prefix) }
    packer.put(prefix)
    // The reader has learnt from that code what we needn't.
    if packer.next == 1 << packer.width, packer.width < 12 { packer.width += 1 }
    packer.put(end)
    if packer.held > 0 { packer.bytes.append(UInt8(packer.bits & 255)) }
    var blocks: [UInt8] = [8]
    for start in stride(from: 0, to: packer.bytes.count, by: 255) {
      let block = packer.bytes[start..<min(start + 255, packer.bytes.count)]
      blocks.append(UInt8(block.count))
      blocks += block
    }
    return blocks + [0]
  }

  private mutating func append(_ index: UInt8, to prefix: inout Int) {
    let place = prefix << 8 | Int(index)
    if codes[place] >= 0 {
      prefix = Int(codes[place])
      return
    }
    put(prefix)
    prefix = Int(index)
    guard next < Self.mostCodes else { return reset() }
    codes[place] = Int16(next)
    used.append(place)
    // The reader knows a code one later than we do.
    if next == 1 << width, width < 12 { width += 1 }
    next += 1
  }

  private mutating func reset() {
    put(Self.clear)
    for place in used { codes[place] = -1 }
    used.removeAll(keepingCapacity: true)
    (next, width) = (258, 9)
  }

  private mutating func put(_ code: Int) {
    bits |= UInt32(code) << held
    held += width
    while held >= 8 {
      bytes.append(UInt8(bits & 255))
      bits >>= 8
      held -= 8
    }
  }
}
