internal import CTurboJPEG
internal import Core
internal import Pixels

/// Encodes one picture as JPEG, with libjpeg-turbo.
final class JPEGEncoder {
  private let picture: Bitmap
  private let handle: tjhandle

  init(_ picture: Bitmap) throws(Fault) {
    guard let handle = tjInitCompress() else { throw .engine("still-failed", "can't start libjpeg-turbo") }
    (self.picture, self.handle) = (picture, handle)
  }

  deinit { tjDestroy(handle) }

  /// Encodes a progressive JPEG, which takes the fewest bytes; `finely` keeps the full resolution of colours.
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
      throw .engine("still-failed", "can't encode a JPEG: \(String(cString: tjGetErrorStr2(handle)))")
    }
    return Array(UnsafeBufferPointer(start: target, count: Int(size)))
  }
}
