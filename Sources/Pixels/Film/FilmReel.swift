internal import CDeflate
package import Core
package import Files
internal import Glibc

/// A film before it is encoded: of each frame what changed since the one before, packed fast.
package enum FilmReel {
  /// The most pixels of a side, and frames: two minutes at 60 a second.
  package static let largest = (side: 4_096, frames: 7_200)

  static let magic = Array("GALLEYREEL1\n".utf8)
  /// Behind the magic: width, height, frames a second, frames, and frames that differ from the one before.
  static let numbers = 5
  /// Of a record: its kind; of a change also its place, size and packed bytes.
  static let changeHead = 5

  enum Kind: UInt8 {
    case end, repeats, change
  }

  static func big(_ values: [Int]) -> [UInt8] { values.flatMap { PNGChunkWriter.bigEndian($0) } }
}

/// Takes the frames of a film one after the other; only a frame that differs costs anything.
package actor FilmReelWriter {
  private let file: Int32
  private let width: Int
  private let height: Int
  private let packer: FilmPacker
  private var last: Bitmap?
  /// Frames so far.
  package private(set) var frames = 0
  private var changes = 0

  /// Begins a film at `path`, `rate` frames a second.
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

  /// Adds a frame, nil for the same as before; one of another size, as after a resize, is cut or gets room.
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

  /// Ends the film; one without a frame has nothing to show.
  package func finish() throws(SystemError) {
    try FileWriting.writeAll([FilmReel.Kind.end.rawValue], to: file)
    let counts = FilmReel.big([frames, changes])
    guard pwrite(file, counts, counts.count, FilmReel.magic.count + 12) == counts.count else {
      throw SystemError(errno)
    }
  }

  /// Opaque, and of the film's size.
  private func fit(_ picture: Bitmap) -> Bitmap {
    guard (picture.width, picture.height) != (width, height) || !picture.isOpaque else { return picture }
    var fitted = Bitmap(width: width, height: height, fill: .white)
    fitted.blit(picture, x: 0, y: 0)
    return fitted
  }
}

/// Packs frames, fast rather than small.
private final class FilmPacker {
  private static let level: Int32 = 1

  private let compressor: OpaquePointer

  init?() {
    guard let compressor = libdeflate_alloc_compressor(Self.level) else { return nil }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// Nothing where it can't be done.
  func pack(_ picture: Bitmap) -> [UInt8] {
    picture.pixels.withUnsafeBytes { pixels in
      let bound = libdeflate_zlib_compress_bound(compressor, pixels.count)
      return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
        count = libdeflate_zlib_compress(compressor, pixels.baseAddress, pixels.count, room.baseAddress, bound)
      }
    }
  }
}

/// Reads a film back, change by change; whoever wrote it, what it says is held to what a film may be.
package final class FilmReelReader {
  /// What is shown, and for how long.
  package struct Shot: Sendable {
    /// The whole frame.
    package let picture: Bitmap
    /// Where it differs from the one before; everywhere, for the first.
    package let changed: PixelRect
    /// Frames for which it stays.
    package let count: Int
  }

  package let width: Int
  package let height: Int
  /// Frames a second.
  package let rate: Int
  package let frames: Int
  /// How many shots there are.
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

  /// The next shot; nil behind the last.
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
    let size = area.width * area.height * 4
    guard !area.isEmpty, area.maxX <= width, area.maxY <= height, numbers[4] <= size + size / 8 + 1_024 else {
      throw Self.broken("a change lies outside of it")
    }
    var packed = [UInt8](repeating: 0, count: numbers[4])
    guard fread(&packed, 1, packed.count, file) == packed.count else { throw Self.broken("it ends early") }
    let decompressor = decompressor
    var isRead = false
    let pixels = [UInt32](unsafeUninitializedCapacity: area.width * area.height) { room, count in
      isRead = 
        libdeflate_zlib_decompress(decompressor, packed, packed.count, room.baseAddress, size, nil) == LIBDEFLATE_SUCCESS
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
