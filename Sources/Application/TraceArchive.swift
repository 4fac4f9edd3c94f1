package import Core
internal import Creatives
internal import FoundationEssentials
package import RenderModel
internal import Reports

/// File `trace.zip` of a result, for Playwright's trace viewer.
package enum TraceArchive {
  /// Returns the archive for the result in a folder; the same result gives the same bytes.
  package static func bytes(of folder: ResultFolder) throws(Fault) -> [UInt8] {
    let trace = try ViewerTrace(of: ResultFolder(AbsolutePath.written(folder.path)))
    var zip = try ZipWriter()
    for file in trace.files { try zip.add(file.name, file.bytes, isPacked: file.name.hasSuffix(".png")) }
    return try zip.finish()
  }

  /// Writes the archive to a file that the caller named.
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

  /// Returns the result that a folder is or contains; several results are a fault, since a trace is of one render.
  package static func result(in folder: String) throws(Fault) -> ResultFolder {
    let given = ResultFolder(folder)
    guard !given.isResult else { return given }
    guard AbsolutePath.isFolder(folder) else {
      throw .request(.resultFolderMissing, "there is no folder \(folder)")
    }
    let found = ResultFolder.names(below: folder).map { "\(folder)/\($0)" }
    guard let first = found.first else {
      throw .request(.resultFolderMissing, "\(folder) contains no result of a render")
    }
    guard found.count == 1 else {
      let names = found.prefix(5).joined(separator: ", ")
      let more = found.count > 5 ? " and \(found.count - 5) more" : ""
      throw .request("results-ambiguous", "a trace shows one result, but \(folder) has several: \(names)\(more)")
    }
    return ResultFolder(first)
  }
}
