package import Files
internal import Glibc

/// Why a file wasn't read; as the end of a sentence that names it.
package enum FileReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(SystemError)
  /// A pipe, device or folder where only a file will do.
  case notAFile
  case tooLarge(most: Int)
  /// A pipe into which nobody writes.
  case silent(seconds: Double)

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notAFile: "it is no regular file"
    case .tooLarge(let most): "it has more than \(most) bytes"
    case .silent(let seconds): "nothing was written into it for \(seconds) seconds"
    }
  }
}

/// Reading whole files, none of which can hold the reader for ever or fill its memory.
package enum FileReading {
  /// Bytes asked from the system at a time.
  private static let piece = 1 << 16
  /// Seconds that a pipe may be silent.
  private static let patience = 30.0

  /// Reads a regular file; a pipe or device in its place is never waited for, and a link only followed where that is meant.
  package static func regular(
    _ path: String, most: Int, followsLinks: Bool = true
  ) throws(FileReadingError) -> [UInt8] {
    try read(path, most: most, flags: followsLinks ? 0 : O_NOFOLLOW) { facts throws(FileReadingError) in
      guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
      guard facts.st_size <= most else { throw .tooLarge(most: most) }
    }
  }

  /// What the kernel shows as a file below `/proc`; empty when it can't be read.
  ///
  /// Foundation's own reading leaves a page of memory behind for each file that turns out to be empty.
  package static func kernelText(_ path: String) -> String {
    String(decoding: (try? regular(path, most: 1 << 20)) ?? [], as: UTF8.self)
  }

  /// Reads what the caller named, which may be a pipe, as of a process's output. One that stays silent is given up.
  package static func named(
    _ path: String, most: Int, patience: Double = patience
  ) throws(FileReadingError) -> [UInt8] {
    try read(path, most: most, patience: patience) { facts throws(FileReadingError) in
      guard facts.st_mode & S_IFMT != S_IFDIR else { throw .system(SystemError(EISDIR)) }
    }
  }

  private static func read(
    _ path: String, most: Int, patience: Double = patience, flags: Int32 = 0,
    check: (stat) throws(FileReadingError) -> Void
  ) throws(FileReadingError) -> [UInt8] {
    // Opening a pipe would wait for who writes.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
    guard file >= 0 else { throw .system(SystemError(errno)) }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .system(SystemError(errno)) }
    try check(facts)
    let isFile = facts.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    bytes.reserveCapacity(isFile ? min(Int(facts.st_size), most) : 0)
    // What is read over it needn't be zeroed first; watches over processes read hundreds of small files.
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      if !isFile { try awaitInput(file, patience) }
      let count = Glibc.read(file, chunk.baseAddress, piece)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw .system(SystemError(errno)) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= most else { throw .tooLarge(most: most) }
      bytes += UnsafeRawBufferPointer(chunk)[..<count]
    }
  }

  private static func awaitInput(_ file: Int32, _ patience: Double) throws(FileReadingError) {
    var wish = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    let ready = poll(&wish, 1, Int32(clamping: Bounded.int(patience * 1_000, in: 0...1_000_000_000)))
    if ready == 0 { throw .silent(seconds: patience) }
    if ready < 0, errno != EINTR { throw .system(SystemError(errno)) }
  }
}
