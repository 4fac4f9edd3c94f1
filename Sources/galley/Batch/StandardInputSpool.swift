internal import Foundation
internal import Glibc
internal import Jobs

/// Standard input kept in a temporary file, since creatives are read more than once.
struct StandardInputSpool {
  private let path = FileManager.default.temporaryDirectory.appending(path: "galley-stdin-\(UUID().uuidString)").path()

  /// Copies standard input to its end and returns the file's path.
  func fill() throws(Fault) -> String {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.fault() }
    defer { close(file) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { return path }
      guard count > 0, write(file, chunk, count) == count else { throw Self.fault() }
    }
  }

  /// Removes the file if there is one.
  func remove() {
    unlink(path)
  }

  private static func fault() -> Fault {
    .engine("stdin-failed", "can't keep standard input: \(String(cString: strerror(errno)))")
  }
}
