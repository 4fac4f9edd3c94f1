internal import Core
internal import Files
internal import Glibc
internal import Pixels

/// Encodes a recording as MP4 or WebM with GStreamer's own programs, which only get raw frames.
struct VideoEncoder {
  let format: FilmFormat

  /// GStreamer element, and the Debian package that contains it.
  private struct Element {
    let name: String
    let package: String
  }

  private var elements: [Element] {
    [Element(name: "rawvideoparse", package: "gstreamer1.0-plugins-base")]
      + (format == .mp4
        ? [
          Element(name: "x264enc", package: "gstreamer1.0-plugins-ugly"),
          Element(name: "mp4mux", package: "gstreamer1.0-plugins-good"),
        ]
        : [
          Element(name: "vp9enc", package: "gstreamer1.0-plugins-good"),
          Element(name: "webmmux", package: "gstreamer1.0-plugins-good"),
        ])
  }

  /// Encodes the whole recording; `file` appears complete or not at all.
  func encode(_ path: String, to file: String) throws(Fault) {
    try requireElements()
    let reel = try FilmReelReader(path)
    // Video has half as many samples of colour: sides are even.
    let (width, height) = (reel.width + reel.width % 2, reel.height + reel.height % 2)
    let scratch = path + ".\(format.rawValue)"
    defer { unlink(scratch) }
    let pipeline = [
      "-q", "fdsrc", "fd=0", "blocksize=\(width * height * 4)", "!", "rawvideoparse", "format=bgrx", "width=\(width)",
      "height=\(height)", "framerate=\(reel.rate)/1", "!", "videoconvert", "n-threads=1", "!",
      "video/x-raw,format=I420,colorimetry=bt709", "!",
    ]
    let program = try start("gst-launch-1.0", pipeline + coding(reel.rate) + ["!", "filesink", "location=\(scratch)"])
    // What the program says of its end is worth more than that it takes no more.
    var stopped: SystemError?
    while stopped == nil, let shot = try reel.next() {
      let frame = Self.bytes(of: shot.picture, width: width, height: height)
      do throws(SystemError) {
        for _ in 0..<shot.count { try program.write(frame) }
      } catch {
        stopped = error
      }
    }
    if let reason = program.finish() ?? stopped?.description {
      throw .engine("film-failed", "GStreamer made no video: \(reason)")
    }
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.regular(scratch, most: 4 << 30)
    } catch {
      throw .engine("film-failed", "GStreamer left no video: \(error)")
    }
    let timeless = format == .mp4 ? TimelessMP4.bytes(of: bytes) : TimelessWebM.bytes(of: bytes)
    try FilmFile.write(file) { sink throws(Fault) in try sink(timeless) }
  }

  /// Returns the encoder and muxer: one thread, and a fixed quality instead of a rate, for reproducible bytes.
  private func coding(_ rate: Int) -> [String] {
    switch format {
    case .mp4:
      [
        "x264enc", "threads=1", "speed-preset=medium", "pass=quant", "quantizer=18", "key-int-max=\(rate * 2)", "!",
        "video/x-h264,profile=high", "!", "mp4mux", "faststart=true",
      ]
    default:
      [
        "vp9enc", "threads=1", "deadline=1", "cpu-used=4", "end-usage=cq", "cq-level=18", "target-bitrate=20000000",
        "keyframe-max-dist=\(rate * 2)", "!", "webmmux",
      ]
    }
  }

  /// Throws `film-encoder-missing`, which names the package, if GStreamer lacks an element that the format needs.
  func requireElements() throws(Fault) { for element in elements { try require(element) } }

  private func require(_ element: Element) throws(Fault) {
    guard try start("gst-inspect-1.0", ["--exists", element.name]).finish() != nil else { return }
    throw .engine(
      "film-encoder-missing", "\(format.rawValue) requires GStreamer's \(element.name): install \(element.package)")
  }

  private func start(_ name: String, _ words: [String]) throws(Fault) -> FedProgram {
    do throws(SystemError) {
      return try FedProgram(name, words)
    } catch let error where error.number == ENOENT {
      throw .engine("film-encoder-missing", "\(format.rawValue) requires \(name): install gstreamer1.0-tools")
    } catch {
      throw .engine("film-failed", "can't start \(name): \(error)")
    }
  }

  /// Returns a frame's bytes; for an odd side the last column or row is repeated.
  private static func bytes(of picture: Bitmap, width: Int, height: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: width * height * 4) { room, count in
      count = width * height * 4
      let target = UnsafeMutableRawBufferPointer(room)
      for y in 0..<height {
        let row = min(y, picture.height - 1) * picture.width
        for x in 0..<width {
          let pixel = picture.pixels[row + min(x, picture.width - 1)]
          target.storeBytes(of: pixel.littleEndian, toByteOffset: (y * width + x) * 4, as: UInt32.self)
        }
      }
    }
  }
}

/// Program that gets its input through a pipe to its standard input.
final class FedProgram {
  private let name: String
  private var process: pid_t = 0
  private var input: Int32
  /// File with its standard error output.
  private let errors: UnsafeMutablePointer<FILE>

  /// - Throws: `ENOENT` when there is no such program.
  init(_ name: String, _ words: [String]) throws(SystemError) {
    self.name = name
    var ends: [Int32] = [0, 0]
    guard let errors = tmpfile() else { throw SystemError(errno) }
    guard pipe(&ends) == 0 else {
      let number = errno
      fclose(errors)
      throw SystemError(number)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.errors, input) = (errors, ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), 2)
    let copies = ([name] + words).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let number = posix_spawnp(&process, name, &actions, nil, copies + [nil], environ)
    close(ends[0])
    if number != 0 { throw SystemError(number) }
  }

  deinit {
    if input >= 0 { close(input) }
    fclose(errors)
  }

  func write(_ bytes: [UInt8]) throws(SystemError) { try FileWriting.writeAll(bytes, to: input) }

  /// Ends its input and waits for it; returns the reason of a failure, nil for success.
  func finish() -> String? {
    close(input)
    input = -1
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status != 0 else { return nil }
    rewind(errors)
    var said = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&said, 1, said.count, errors)
    let lines = String(decoding: said[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.first { $0.contains("ERROR") || $0.contains("WARNING") }.map(String.init)
      ?? "\(name) ended with \(status)"
  }
}
