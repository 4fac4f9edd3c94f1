internal import Application
internal import Core
internal import Creatives
internal import Files
internal import Glibc

/// Copy of standard input in a temporary file, since creatives are read more than once.
///
/// The file has a path because workers have no access to this process's open files.
enum StandardInputSpool {
  /// Copies standard input to its end and returns the file's path, which is valid while this program runs.
  static func fill() throws(Fault) -> String {
    let (path, file) = try openFile()
    defer { close(file) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var size = 0
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { return path }
      guard count > 0 else { throw .request("stdin-unreadable", "can't read standard input: \(SystemError(errno))") }
      size += count
      guard size <= BundleLimits.standard.largestTotal else {
        throw .creative("stdin-too-large", "standard input has more than \(BundleLimits.standard.largestTotal) bytes")
      }
      try write(chunk[..<count], to: file)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(Fault) {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: file)
    } catch {
      throw fault(error)
    }
  }

  private static func openFile() throws(Fault) -> (path: String, file: Int32) {
    let path = "\(try ScratchFolder.make())/creative"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault(SystemError(errno)) }
    return (path, file)
  }

  private static func fault(_ error: SystemError) -> Fault {
    .engine("stdin-failed", "can't store standard input: \(error)")
  }
}
