internal import Core
internal import Glibc

/// A standard stream; output that nobody reads any more is dropped.
struct Console: Sendable {
  static let output = Console(descriptor: STDOUT_FILENO)
  static let error = Console(descriptor: STDERR_FILENO)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal; 80 when it doesn't tell.
  var width: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes it all, unbuffered: a reader of the pipe sees each line when it is due.
  ///
  /// Returns why it couldn't, nil also when nobody reads any more.
  @discardableResult func write(_ text: String) -> String? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno == EPIPE ? nil : String(cString: strerror(errno)) }
      bytes = bytes.dropFirst(count)
    }
    return nil
  }
}
