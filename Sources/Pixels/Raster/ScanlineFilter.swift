/// Undoes the filters of a PNG's rows where they stand (PNG specification, section 9), 3 or 4 bytes a pixel.
enum ScanlineFilter {
  /// Undoes rows that each follow their filter byte; false when a filter byte isn't one.
  ///
  /// `memory` must be readable for `Raster.slack` bytes beyond the last row.
  static func undo(_ memory: UnsafeMutableRawPointer, width: Int, rows: Int, channels: Int) -> Bool {
    // Each is compiled for its number of channels.
    channels == 3
      ? undo(memory, count: width * 3, rows: rows, channels: 3)
      : undo(memory, count: width * 4, rows: rows, channels: 4)
  }

  @inline(__always)
  private static func undo(_ memory: UnsafeMutableRawPointer, count: Int, rows: Int, channels: Int) -> Bool {
    let stride = count + 1
    // A row of zeros, above the first; and one for what nobody reads.
    let spare = UnsafeMutableRawPointer.allocate(byteCount: 2 * (count + Raster.slack), alignment: 16)
    defer { spare.deallocate() }
    spare.initializeMemory(as: UInt8.self, repeating: 0, count: 2 * (count + Raster.slack))
    let (blank, scratch) = (UnsafeRawPointer(spare), spare + (count + Raster.slack))
    var y = 0
    while y < rows {
      let row = memory + (y * stride + 1)
      let above = y == 0 ? blank : UnsafeRawPointer(row - stride)
      var done = 1
      switch (row - 1).load(as: UInt8.self) {
      case 0: break
      case 1: undoSub(row, count: count, channels: channels)
      case 2: undoUp(row, above: above, count: count)
      case 3: undoAverage(row, above: above, count: count, channels: channels)
      case 4:
        while done < min(PaethRows.most, rows - y), (row - 1 + done * stride).load(as: UInt8.self) == 4 { done += 1 }
        PaethRows.undo(
          row, rows: done, above: above, stride: stride, count: count, channels: channels, scratch: scratch)
      default: return false
      }
      y += done
    }
    return true
  }

  @inline(__always)
  private static func undoSub(_ row: UnsafeMutableRawPointer, count: Int, channels: Int) {
    var left = SIMD4<UInt8>(repeating: 0)
    var at = 0
    while at < count {
      left &+= load(row + at)
      store(unsafeBitCast(left, to: UInt32.self), to: row + at, channels: channels)
      at &+= channels
    }
  }

  @inline(__always)
  private static func undoUp(_ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, count: Int) {
    var at = 0
    while at &+ 32 <= count {
      let sum = (row + at).loadUnaligned(as: SIMD32<UInt8>.self) &+ (above + at).loadUnaligned(as: SIMD32<UInt8>.self)
      (row + at).storeBytes(of: sum, as: SIMD32<UInt8>.self)
      at &+= 32
    }
    while at < count {
      let sum = (row + at).load(as: UInt8.self) &+ (above + at).load(as: UInt8.self)
      (row + at).storeBytes(of: sum, as: UInt8.self)
      at &+= 1
    }
  }

  @inline(__always)
  private static func undoAverage(
    _ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, count: Int, channels: Int
  ) {
    var left = SIMD4<UInt8>(repeating: 0)
    var at = 0
    while at < count {
      let top = load(above + at)
      // Half the sum without a ninth bit: what both have, and half of what one has.
      left = load(row + at) &+ ((left & top) &+ (((left ^ top) & SIMD4(repeating: 0xFE)) &>> SIMD4(repeating: 1)))
      store(unsafeBitCast(left, to: UInt32.self), to: row + at, channels: channels)
      at &+= channels
    }
  }

  /// Four bytes of which the last may belong to the next pixel.
  @inline(__always)
  private static func load(_ place: UnsafeRawPointer) -> SIMD4<UInt8> {
    unsafeBitCast(place.loadUnaligned(as: UInt32.self), to: SIMD4<UInt8>.self)
  }

  /// Writes a pixel and nothing beyond it.
  @inline(__always)
  static func store(_ pixel: UInt32, to place: UnsafeMutableRawPointer, channels: Int) {
    if channels == 4 {
      place.storeBytes(of: pixel, as: UInt32.self)
    } else {
      place.storeBytes(of: UInt16(truncatingIfNeeded: pixel.littleEndian), as: UInt16.self)
      (place + 2).storeBytes(of: UInt8(truncatingIfNeeded: pixel.littleEndian &>> 16), as: UInt8.self)
    }
  }
}
