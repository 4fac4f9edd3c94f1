internal import Glibc

/// The three streams a program starts with.
enum StandardStreams {
  /// Opens those the caller left closed, so that no other file takes their numbers and gets what is meant for them.
  static func open() {
    while true {
      let descriptor = Glibc.open("/dev/null", O_WRONLY)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor >= 0 { close(descriptor) }
        return
      }
    }
  }
}
