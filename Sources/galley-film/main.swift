// Encodes what renders took: galley-film FORMAT REEL FILE a film, galley-film still … a picture, and galley-film sheet
// PLAN FILE pages of pictures. With a film's format alone it only looks whether it could. What goes wrong is told as JSON
// on standard error.

internal import Core
internal import Files
internal import Glibc
internal import Pixels

signal(SIGPIPE, SIG_IGN)
let words = Array(CommandLine.arguments.dropFirst())
do throws(Fault) {
  switch words.first {
  case "still": try StillCall(Array(words.dropFirst())).run()
  case "sheet" where words.count == 3: try ContactPages.write(words[1], to: words[2])
  default: try FilmCall.run(words)
  }
} catch {
  FilmFailure.end(error)
}

/// Call from the command `galley film`: encodes a recording, or checks that its format can be encoded.
enum FilmCall {
  static func run(_ words: [String]) throws(Fault) {
    guard words.count == 1 || words.count == 3, let format = FilmFormat(rawValue: words[0]) else {
      throw FilmFailure.call
    }
    guard words.count == 3 else {
      if [.mp4, .webm].contains(format) { try VideoEncoder(format: format).requireElements() }
      return
    }
    let (reel, file) = (words[1], words[2])
    switch format {
    case .mp4, .webm: try VideoEncoder(format: format).encode(reel, to: file)
    case .gif: try FilmFile.write(file) { sink throws(Fault) in try GIFEncoder.encode(reel, to: sink) }
    case .apng:
      try FilmFile.write(file) { sink throws(Fault) in try FilmAnimation.encode(FilmReelReader(reel), to: sink) }
    case .webp:
      try FilmFile.write(file) { sink throws(Fault) in try WebPEncoder.encode(FilmReelReader(reel), to: sink) }
    }
  }
}

/// Reports this program's errors.
enum FilmFailure {
  static var call: Fault {
    .request("film-call-invalid", "galley-film FORMAT REEL FILE, still … or sheet PLAN FILE, as galley calls it")
  }

  static func end(_ fault: Fault) -> Never {
    try? FileWriting.writeAll(Array((JSONText.line(fault) + "\n").utf8), to: STDERR_FILENO)
    exit(1)
  }
}

/// Output file, which appears complete or not at all.
enum FilmFile {
  static func write(_ path: String, _ encode: (FilmSink) throws(Fault) -> Void) throws(Fault) {
    do {
      let file = try OutputFile(path)
      try encode { bytes throws(Fault) in
        do throws(SystemError) { try file.write(bytes) } catch { throw Fault.writing(path, error, isNamed: true) }
      }
      try file.finish()
    } catch {
      throw error as? Fault ?? Fault.writing(path, error, isNamed: true)
    }
  }
}
