internal import Comparison
internal import Foundation
internal import Glibc
internal import Jobs

/// A page on disk, which is there whole or not at all.
struct DiffPageFile {
  let path: String

  func write(_ page: DiffPage) throws(Fault) {
    let half = path + ".part"
    guard FileManager.default.createFile(atPath: half, contents: nil), let file = FileHandle(forWritingAtPath: half)
    else { throw fault }
    do throws(Fault) {
      try page.write { text throws(Fault) in
        guard (try? file.write(contentsOf: Data(text.utf8))) != nil else { throw fault }
      }
      guard (try? file.close()) != nil, rename(half, path) == 0 else { throw fault }
    } catch {
      unlink(half)
      throw error
    }
  }

  private var fault: Fault { .request("output-failed", "\(path) can't be written") }
}
