package import Core

/// Receiver of an encoder's bytes, in order.
package typealias FilmSink = ([UInt8]) throws(Fault) -> Void

/// Encoder of a recording as an animated PNG: each change is a part of the image, laid over the previous frame.
package enum FilmAnimation {
  /// Bytes of a change besides its rows: its control chunk, and the frame and number of its data chunk.
  private static let overhead = 12 + 26 + 12 + 4

  /// Encodes the whole recording as an endless loop.
  package static func encode(_ reel: FilmReelReader, to sink: FilmSink) throws(Fault) {
    try sink(PNGChunkWriter.start(width: reel.width, height: reel.height, frames: reel.changes))
    var sequence = 0
    while let shot = try reel.next() {
      try sink(chunks(of: shot, rate: reel.rate, sequence: &sequence))
    }
    try sink(PNGChunkWriter.end())
  }

  private static func chunks(
    of shot: FilmReelReader.Shot, rate: Int, sequence: inout Int
  ) throws(Fault) -> [UInt8] {
    let scanlines = Scanlines(shot.picture.crop(shot.changed), channels: 3)
    let bound = ZlibFrame.bound(length: scanlines.length, rows: shot.changed.height) + overhead
    var failure: PNGError?
    let number = sequence
    sequence += number == 0 ? 1 : 2
    let bytes = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      var writer = PNGChunkWriter(output)
      writer.chunk("fcTL") { space in
        let area = shot.changed
        let place = [number, area.width, area.height, area.x, area.y].flatMap { PNGChunkWriter.bigEndian($0) }
        let delay = [shot.count, rate].flatMap { PNGChunkWriter.bigEndian($0).suffix(2) }
        return put(place + delay + [0, 0], in: space)
      }
      do throws(PNGError) {
        // The first frame is what readers see who know no animation, and its chunk has no number.
        try writer.chunk(number == 0 ? "IDAT" : "fdAT") { space throws(PNGError) in
          let used = number == 0 ? 0 : put(PNGChunkWriter.bigEndian(number + 1), in: space)
          return used + (try ZlibFrame.write(scanlines, to: UnsafeMutableBufferPointer(rebasing: space[used...])))
        }
      } catch {
        failure = error
      }
      count = writer.count
    }
    if let failure { throw .engine("film-failed", "a frame can't be packed: \(failure)") }
    return bytes
  }

  private static func put(_ bytes: [UInt8], in space: UnsafeMutableBufferPointer<UInt8>) -> Int {
    _ = space.update(fromContentsOf: bytes)
    return bytes.count
  }
}

extension PNGChunkWriter {
  /// Returns the beginning of an animated PNG with this number of frames in an endless loop.
  fileprivate static func start(width: Int, height: Int, frames: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: overhead + 20) { output, count in
      var writer = PNGChunkWriter(output)
      writer.begin(width: width, height: height, channels: 3)
      writer.chunk("acTL") { space in
        let numbers = bigEndian(frames) + bigEndian(0)
        _ = space.update(fromContentsOf: numbers)
        return numbers.count
      }
      count = writer.count
    }
  }

  fileprivate static func end() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: overhead) { output, count in
      var writer = PNGChunkWriter(output)
      writer.chunk("IEND") { _ in 0 }
      count = writer.count
    }
  }
}
