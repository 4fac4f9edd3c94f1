package import Core
internal import Creatives
internal import FoundationEssentials
package import RenderModel
internal import Reports

/// The `trace.zip` of a result, for Playwright's trace viewer.
package enum TraceArchive {
  /// Made of what a render left in a folder; the same result gives the same bytes.
  package static func bytes(of folder: ResultFolder) throws(Fault) -> [UInt8] {
    let trace = try ViewerTrace(of: ResultFolder(AbsolutePath.written(folder.path)))
    var zip = try ZipWriter()
    for file in trace.files { try zip.add(file.name, file.bytes, isPacked: file.name.hasSuffix(".png")) }
    return try zip.finish()
  }

  /// Writes it to a file that the caller named.
  package static func write(_ folder: ResultFolder, to path: String) throws(Fault) {
    let bytes = try bytes(of: folder)
    do {
      let file = try OutputFile(path)
      try file.write(bytes)
      try file.finish()
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }

  /// The result that a folder is or holds; several are named, since a trace tells one render.
  package static func result(in folder: String) throws(Fault) -> ResultFolder {
    let given = ResultFolder(folder)
    guard !given.isResult else { return given }
    guard AbsolutePath.isFolder(folder) else {
      throw .request("result-folder-missing", "there is no folder \(folder)")
    }
    let found = ResultFolder.names(below: folder).map { "\(folder)/\($0)" }
    guard let first = found.first else {
      throw .request("result-folder-missing", "no render left a result in \(folder)")
    }
    guard found.count == 1 else {
      let names = found.prefix(5).joined(separator: ", ")
      let more = found.count > 5 ? " and \(found.count - 5) more" : ""
      throw .request("results-ambiguous", "a trace is of one result, and \(folder) has several: \(names)\(more)")
    }
    return ResultFolder(first)
  }
}
