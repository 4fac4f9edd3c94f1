internal import Comparison
internal import Core
internal import Jobs

/// A page on disk, which is there whole or not at all.
struct DiffPageFile {
  let path: String

  func write(_ page: DiffPage) throws(Fault) {
    let file = try told { () throws(SystemError) in try OutputFile(path) }
    try page.write { text throws(Fault) in try told { () throws(SystemError) in try file.write(text.utf8) } }
    try told { () throws(SystemError) in try file.finish() }
  }

  /// What went wrong, by the file that it went wrong with.
  private func told<Value>(_ work: () throws(SystemError) -> Value) throws(Fault) -> Value {
    do throws(SystemError) { return try work() } catch { throw .writing(path, error, isNamed: true) }
  }
}
