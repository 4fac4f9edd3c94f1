internal import FoundationEssentials
package import Jobs

/// Reads the `result.json` of an earlier render.
package enum RecordFile {
  /// - Throws: a request's fault when the file is no record.
  package static func read(_ path: String) throws(Fault) -> RenderRecord {
    let data = try ResultFile.read(path)
    guard let record = try? JSONDecoder().decode(RenderRecord.self, from: data) else {
      throw .request("diff-record-broken", "\(path) is no result of a render")
    }
    return record
  }
}
