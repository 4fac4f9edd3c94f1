package import Files
internal import Glibc

/// Reason why a file wasn't read; its description is the end of a sentence that names the file.
package enum FileReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(SystemError)
  /// A pipe, device or folder in place of a regular file.
  case notAFile
  case tooLarge(most: Int)
  /// A pipe that no program has opened to write.
  case withoutWriter(seconds: Double)
  /// A pipe or device whose writer sent nothing for the allowed time.
  case silent(seconds: Double)
  /// A pipe or device that didn't end within the allowed time.
  case endless(seconds: Double)

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notAFile: "it isn't a regular file"
    case .tooLarge(let most): "it has more than \(most) bytes"
    case .withoutWriter(let seconds): "it is a pipe, and no program opened it to write within \(seconds.plain) seconds"
    case .silent(let seconds): "nothing was written into it for \(seconds.plain) seconds"
    case .endless(let seconds): "it had no end after \(seconds.plain) seconds"
    }
  }
}

/// Reads whole files, within limits of time and size, so that no file can block the reader or fill its memory.
package enum FileReading {
  /// Bytes requested from the system at a time.
  private static let piece = 1 << 16

  /// Time limits for a pipe or device, in seconds.
  package struct Patience: Sendable {
    /// Until a program has opened the pipe to write.
    var writer = 5.0
    /// Until the next byte.
    var silence = 30.0
    /// For the whole file.
    var whole = 300.0
  }

  /// Reads a regular file; refuses a pipe or device in its place, and also a link unless `followsLinks` is set.
  package static func regular(
    _ path: String, most: Int, followsLinks: Bool = true
  ) throws(FileReadingError) -> [UInt8] {
    try read(path, most: most, flags: followsLinks ? 0 : O_NOFOLLOW) { facts throws(FileReadingError) in
      guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
      guard facts.st_size <= most else { throw .tooLarge(most: most) }
    }
  }

  /// Contents of a file below `/proc`; empty if it can't be read.
  ///
  /// Foundation's own reading leaks a page of memory for each file that turns out to be empty.
  package static func kernelText(_ path: String) -> String {
    String(decoding: (try? regular(path, most: 1 << 20)) ?? [], as: UTF8.self)
  }

  /// Reads the file that the caller named, which may also be a pipe, such as a process's output.
  ///
  /// The call fails if the pipe stays silent or no program opens it to write.
  package static func named(
    _ path: String, most: Int, patience: Patience = Patience()
  ) throws(FileReadingError) -> [UInt8] {
    try read(path, most: most, patience: patience) { facts throws(FileReadingError) in
      guard facts.st_mode & S_IFMT != S_IFDIR else { throw .system(SystemError(EISDIR)) }
    }
  }

  private static func read(
    _ path: String, most: Int, patience: Patience = Patience(), flags: Int32 = 0,
    check: (stat) throws(FileReadingError) -> Void
  ) throws(FileReadingError) -> [UInt8] {
    // Opening a pipe would wait for who writes.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
    guard file >= 0 else { throw .system(SystemError(errno)) }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .system(SystemError(errno)) }
    try check(facts)
    return try contents(of: file, facts, most: most, patience)
  }

  private static func contents(
    of file: Int32, _ facts: stat, most: Int, _ patience: Patience
  ) throws(FileReadingError) -> [UInt8] {
    let isFile = facts.st_mode & S_IFMT == S_IFREG
    var input = facts.st_mode & S_IFMT == S_IFREG ? nil : SlowInput(file, patience)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(isFile ? min(Int(facts.st_size), most) : 0)
    // What is read over it needn't be zeroed first; watches over processes read hundreds of small files.
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      let isReady = try input?.awaitBytes() ?? true
      let count = Glibc.read(file, chunk.baseAddress, piece)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw .system(SystemError(errno)) }
      // Nothing came in time, and yet this is the end: no program writes.
      if count == 0, !isReady { throw .withoutWriter(seconds: patience.writer) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= most else { throw .tooLarge(most: most) }
      bytes += UnsafeRawBufferPointer(chunk)[..<count]
    }
  }
}

/// A pipe or device that is read with a time limit for each wait.
private struct SlowInput {
  private let file: Int32
  private let patience: FileReading.Patience
  private let end: ContinuousClock.Instant
  /// True once the first wait, which is for a program to open the pipe, has begun.
  private var isOpened = false

  init(_ file: Int32, _ patience: FileReading.Patience) {
    (self.file, self.patience) = (file, patience)
    end = ContinuousClock.now + Bounded.seconds(patience.whole)
  }

  /// Waits until there is something to read or the input has ended.
  ///
  /// Returns false if nothing came while a pipe may still lack a writer.
  mutating func awaitBytes() throws(FileReadingError) -> Bool {
    let left = max(0, (end - ContinuousClock.now) / .seconds(1))
    guard left > 0 else { throw .endless(seconds: patience.whole) }
    let isFirst = !isOpened
    isOpened = true
    if try poll(min(left, isFirst ? patience.writer : patience.silence)) { return true }
    guard !isFirst else { return false }
    throw left <= patience.silence ? .endless(seconds: patience.whole) : .silent(seconds: patience.silence)
  }

  private func poll(_ seconds: Double) throws(FileReadingError) -> Bool {
    var wish = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = Glibc.poll(&wish, 1, Int32(clamping: Bounded.int(seconds * 1_000, in: 0...1_000_000_000)))
      if ready >= 0 { return ready > 0 }
      guard errno == EINTR else { throw .system(SystemError(errno)) }
    }
  }
}
