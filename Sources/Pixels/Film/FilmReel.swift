internal import CDeflate
package import Core
package import Files
internal import Glibc

/// Recording before it is encoded: the changes of each frame since the previous one, packed fast.
package enum FilmReel {
  /// Maximum side in pixels and number of frames: two minutes at 60 frames per second.
  package static let largest = (side: 4_096, frames: 7_200)

  static let magic = Array("GALLEYREEL1\n".utf8)
  /// Number of values behind the magic: width, height, frame rate, frames, and frames that differ from the previous
  /// one.
  static let numbers = 5
  /// Number of values in the head of a change, after its kind: position, size and packed bytes.
  static let changeHead = 5

  enum Kind: UInt8 {
    case end, repeats, change
  }

  static func big(_ values: [Int]) -> [UInt8] { values.flatMap { PNGChunkWriter.bigEndian($0) } }
}

/// Writer of a recording's frames in order; a frame without a change takes one byte.
package actor FilmReelWriter {
  private let file: Int32
  private let width: Int
  private let height: Int
  private let packer: FilmPacker
  private var last: Bitmap?
  /// Number of frames so far.
  package private(set) var frames = 0
  private var changes = 0

  /// Begins a recording at `path`, with `rate` frames per second.
  package init(path: String, width: Int, height: Int, rate: Int) throws(SystemError) {
    guard (1...FilmReel.largest.side).contains(width), (1...FilmReel.largest.side).contains(height) else {
      throw SystemError(EFBIG)
    }
    guard let packer = FilmPacker() else { throw SystemError(ENOMEM) }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemError(errno) }
    (self.file, self.packer, self.width, self.height) = (file, packer, width, height)
    try FileWriting.writeAll(FilmReel.magic + FilmReel.big([width, height, rate, 0, 0]), to: file)
  }

  deinit { close(file) }

  /// Adds a frame; nil repeats the previous one.
  ///
  /// An image of another size, as after a resize, is cropped or padded with white.
  package func add(_ picture: Bitmap?) throws(SystemError) {
    guard frames < FilmReel.largest.frames else { throw SystemError(EFBIG) }
    let frame = picture.map { fit($0) }
    frames += 1
    guard let frame, let area = last.map({ frame.difference(to: $0) }) ?? frame.bounds else {
      return try FileWriting.writeAll([FilmReel.Kind.repeats.rawValue], to: file)
    }
    last = frame
    changes += 1
    let bytes = packer.pack(frame.crop(area))
    guard !bytes.isEmpty else { throw SystemError(ENOMEM) }
    let head = FilmReel.big([area.x, area.y, area.width, area.height, bytes.count])
    try FileWriting.writeAll([FilmReel.Kind.change.rawValue] + head, to: file)
    try FileWriting.writeAll(bytes, to: file)
  }

  /// Ends the recording; one without a frame can't be read.
  package func finish() throws(SystemError) {
    try FileWriting.writeAll([FilmReel.Kind.end.rawValue], to: file)
    let counts = FilmReel.big([frames, changes])
    guard pwrite(file, counts, counts.count, FilmReel.magic.count + 12) == counts.count else {
      throw SystemError(errno)
    }
  }

  /// Returns an opaque image of the recording's size.
  private func fit(_ picture: Bitmap) -> Bitmap {
    guard (picture.width, picture.height) != (width, height) || !picture.isOpaque else { return picture }
    var fitted = Bitmap(width: width, height: height, fill: .white)
    fitted.blit(picture, x: 0, y: 0)
    return fitted
  }
}

/// Compressor of frames, for speed rather than size.
private final class FilmPacker {
  private static let level: Int32 = 1

  private let compressor: OpaquePointer

  init?() {
    guard let compressor = libdeflate_alloc_compressor(Self.level) else { return nil }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// Returns the packed pixels; empty if that fails.
  func pack(_ picture: Bitmap) -> [UInt8] {
    picture.pixels.withUnsafeBytes { pixels in
      let bound = libdeflate_zlib_compress_bound(compressor, pixels.count)
      return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
        count = libdeflate_zlib_compress(compressor, pixels.baseAddress, pixels.count, room.baseAddress, bound)
      }
    }
  }
}

/// Reader of a recording, change by change, which checks the file's values against the limits of a recording.
package final class FilmReelReader {
  /// Frame and its duration.
  package struct Shot: Sendable {
    /// Image of the whole frame.
    package let picture: Bitmap
    /// Area in which it differs from the previous one; the whole frame for the first.
    package let changed: PixelRect
    /// Number of frames for which it is shown.
    package let count: Int
  }

  package let width: Int
  package let height: Int
  /// Frames per second.
  package let rate: Int
  package let frames: Int
  /// Number of shots.
  package let changes: Int

  private let file: UnsafeMutablePointer<FILE>
  private let decompressor: OpaquePointer
  private var picture: Bitmap
  private var kind: FilmReel.Kind
  private var seen = (frames: 0, changes: 0)

  package init(_ path: String) throws(Fault) {
    guard let file = fopen(path, "re") else { throw Self.broken(SystemError(errno).description) }
    var head = [UInt8](repeating: 0, count: FilmReel.magic.count + FilmReel.numbers * 4)
    guard fread(&head, 1, head.count, file) == head.count, head.starts(with: FilmReel.magic),
      let decompressor = libdeflate_alloc_decompressor()
    else {
      fclose(file)
      throw Self.broken("it doesn't begin as one")
    }
    let numbers = Self.numbers(head.dropFirst(FilmReel.magic.count))
    (self.file, self.decompressor) = (file, decompressor)
    (width, height, rate, frames, changes) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    let side = 1...FilmReel.largest.side
    let isWhole =
      side.contains(width) && side.contains(height) && (1...60).contains(rate)
      && (1...FilmReel.largest.frames).contains(frames) && (1...frames).contains(changes)
    picture = Bitmap(width: isWhole ? width : 0, height: isWhole ? height : 0, fill: .white)
    kind = .end
    guard isWhole else { throw Self.broken("it isn't whole") }
    kind = try nextKind()
  }

  deinit {
    fclose(file)
    libdeflate_free_decompressor(decompressor)
  }

  /// Returns the next shot; nil after the last.
  package func next() throws(Fault) -> Shot? {
    switch kind {
    case .end:
      guard seen == (frames, changes) else { throw Self.broken("it ends early") }
      return nil
    case .repeats: throw Self.broken("it begins with a repeat")
    case .change: break
    }
    let area = try change()
    var count = 1
    kind = try nextKind()
    while kind == .repeats {
      count += 1
      guard seen.frames + count <= frames else { throw Self.broken("it has more frames than it says") }
      kind = try nextKind()
    }
    seen = (seen.frames + count, seen.changes + 1)
    guard seen.frames <= frames, seen.changes <= changes else { throw Self.broken("it has more frames than it says") }
    return Shot(picture: picture, changed: area, count: count)
  }

  private func change() throws(Fault) -> PixelRect {
    var head = [UInt8](repeating: 0, count: FilmReel.changeHead * 4)
    guard fread(&head, 1, head.count, file) == head.count else { throw Self.broken("it ends early") }
    let numbers = Self.numbers(head[...])
    let area = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    guard !area.isEmpty, area.maxX <= width, area.maxY <= height else {
      throw Self.broken("a change lies outside of it")
    }
    let size = area.width * area.height * 4
    guard numbers[4] <= size + size / 8 + 1_024 else { throw Self.broken("a change is longer than its pixels") }
    var packed = [UInt8](repeating: 0, count: numbers[4])
    guard fread(&packed, 1, packed.count, file) == packed.count else { throw Self.broken("it ends early") }
    let decompressor = decompressor
    var isRead = false
    let pixels = [UInt32](unsafeUninitializedCapacity: area.width * area.height) { room, count in
      isRead =
        libdeflate_zlib_decompress(decompressor, packed, packed.count, room.baseAddress, size, nil)
        == LIBDEFLATE_SUCCESS
      count = isRead ? area.width * area.height : 0
    }
    guard isRead else { throw Self.broken("a change can't be unpacked") }
    for row in 0..<area.height {
      let target = (area.y + row) * width + area.x
      picture.pixels.replaceSubrange(
        target..<target + area.width, with: pixels[row * area.width..<(row + 1) * area.width])
    }
    return area
  }

  private func nextKind() throws(Fault) -> FilmReel.Kind {
    let byte = fgetc(file)
    guard let kind = UInt8(exactly: byte).flatMap(FilmReel.Kind.init) else { throw Self.broken("it ends early") }
    return kind
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  private static func broken(_ reason: String) -> Fault {
    .engine("film-broken", "the film that was taken can't be read: \(reason)")
  }
}
