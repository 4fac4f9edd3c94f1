internal import CWebP
internal import Core
internal import Pixels

/// Encodes a recording as an animated WebP, with libwebp's own animation encoder, on one thread.
enum WebPEncoder {
  /// Quality from 0 to 100, at which the edges of letters stay sharp.
  private static let quality: Float = 85

  /// Encodes the whole recording as an endless loop.
  static func encode(_ reel: FilmReelReader, to sink: FilmSink) throws(Fault) {
    var options = WebPAnimEncoderOptions()
    var config = WebPConfig()
    guard WebPAnimEncoderOptionsInit(&options) != 0, WebPConfigInit(&config) != 0 else {
      throw fault("libwebp has an incompatible version")
    }
    options.allow_mixed = 1
    options.anim_params.loop_count = 0
    config.quality = quality
    config.thread_level = 0
    guard let encoder = WebPAnimEncoderNew(Int32(reel.width), Int32(reel.height), &options) else {
      throw fault("out of memory for \(reel.width)x\(reel.height)")
    }
    defer { WebPAnimEncoderDelete(encoder) }
    var frames = 0
    while let shot = try reel.next() {
      try add(shot.picture, at: milliseconds(frames, reel.rate), to: encoder, config)
      frames += shot.count
    }
    guard WebPAnimEncoderAdd(encoder, nil, milliseconds(frames, reel.rate), nil) != 0 else { throw failure(encoder) }
    var data = WebPData()
    WebPDataInit(&data)
    defer { WebPDataClear(&data) }
    guard WebPAnimEncoderAssemble(encoder, &data) != 0 else { throw failure(encoder) }
    try sink(Array(UnsafeBufferPointer(start: data.bytes, count: data.size)))
  }

  /// Encodes a single picture with a quality from 0 to 100.
  static func still(_ bitmap: Bitmap, quality: Int) throws(Fault) -> [UInt8] {
    var config = WebPConfig()
    var (picture, writer) = (WebPPicture(), WebPMemoryWriter())
    guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
      throw fault("libwebp has an incompatible version")
    }
    WebPMemoryWriterInit(&writer)
    defer {
      WebPPictureFree(&picture)
      WebPMemoryWriterClear(&writer)
    }
    (config.quality, config.method, config.thread_level) = (Float(quality), 6, 0)
    // Letters in colour stay sharp where colours have half the samples.
    config.use_sharp_yuv = 1
    try take(bitmap, into: &picture)
    picture.writer = WebPMemoryWrite
    let isWritten = withUnsafeMutablePointer(to: &writer) { target in
      picture.custom_ptr = UnsafeMutableRawPointer(target)
      return WebPEncode(&config, &picture)
    }
    guard isWritten != 0 else { throw fault("its error is \(picture.error_code.rawValue)") }
    return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
  }

  private static func take(_ bitmap: Bitmap, into picture: inout WebPPicture) throws(Fault) {
    (picture.use_argb, picture.width, picture.height) = (1, Int32(bitmap.width), Int32(bitmap.height))
    let isTaken = bitmap.pixels.withUnsafeBytes { bytes in
      WebPPictureImportBGRX(&picture, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bitmap.width * 4))
    }
    guard isTaken != 0 else { throw fault("out of memory for an image") }
  }

  private static func add(
    _ bitmap: Bitmap, at time: Int32, to encoder: OpaquePointer, _ config: WebPConfig
  ) throws(Fault) {
    var picture = WebPPicture()
    guard WebPPictureInit(&picture) != 0 else { throw fault("libwebp has an incompatible version") }
    defer { WebPPictureFree(&picture) }
    try take(bitmap, into: &picture)
    var config = config
    guard WebPAnimEncoderAdd(encoder, &picture, time, &config) != 0 else { throw failure(encoder) }
  }

  private static func milliseconds(_ frames: Int, _ rate: Int) -> Int32 { Int32((frames * 1_000 + rate / 2) / rate) }

  private static func failure(_ encoder: OpaquePointer) -> Fault {
    fault(WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "unknown reason")
  }

  private static func fault(_ reason: String) -> Fault { .engine("film-failed", "can't encode a WebP: \(reason)") }
}
