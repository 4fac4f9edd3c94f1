internal import CTurboJPEG
internal import Core
internal import Pixels

/// JPEGs of one picture, by libjpeg-turbo.
final class JPEGEncoder {
  private let picture: Bitmap
  private let handle: tjhandle

  init(_ picture: Bitmap) throws(Fault) {
    guard let handle = tjInitCompress() else { throw .engine("still-failed", "libjpeg-turbo can't be begun") }
    (self.picture, self.handle) = (picture, handle)
  }

  deinit { tjDestroy(handle) }

  /// Comes into view bit by bit, which takes the fewest bytes.
  func bytes(_ quality: Int, finely: Bool) throws(Fault) -> [UInt8] {
    var (target, size): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    defer { tjFree(target) }
    let sampling = finely ? TJSAMP_444 : TJSAMP_420
    let result = picture.pixels.withUnsafeBytes { pixels in
      tjCompress2(
        handle, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(picture.width), 0,
        Int32(picture.height), Int32(TJPF_BGRX.rawValue), &target, &size, Int32(sampling.rawValue), Int32(quality),
        TJFLAG_PROGRESSIVE | TJFLAG_ACCURATEDCT)
    }
    guard result == 0, let target else {
      throw .engine("still-failed", "no JPEG can be made: \(String(cString: tjGetErrorStr2(handle)))")
    }
    return Array(UnsafeBufferPointer(start: target, count: Int(size)))
  }
}
