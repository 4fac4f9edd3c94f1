internal import Glibc
internal import Jobs

/// Keeps a second server out of a data folder; gone with the process, however that ends.
final class DataLock: Sendable {
  private let file: Int32

  init(_ folder: String) throws(Fault) {
    let path = "\(folder)/lock"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .request("data-unwritable", "can't write to \(path)") }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw .request("data-in-use", "another server uses \(folder)")
    }
  }

  deinit { close(file) }
}
