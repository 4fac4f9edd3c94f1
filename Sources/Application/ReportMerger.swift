internal import Checks
package import Core
internal import FoundationEssentials
internal import RenderModel
package import Reports

/// Copies the results of a batch's parts into one folder and writes their joint report.
package struct ReportMerger {
  private let out: String

  package init(out: String) { self.out = out }

  /// Writes the whole.
  package func merge(_ parts: [ReportSource]) throws(Fault) {
    let report = try CheckReport(joining: parts.map(\.report))
    try ResultFolder(out).create()
    for part in parts {
      for creative in part.report.creatives where !creative.folder.isEmpty {
        try copy(creative.folder, from: part.folder)
      }
    }
    do {
      try OutputFile.write(JSONText.of(report), to: "\(out)/\(ReportSource.fileName)")
    } catch {
      throw Fault.writing(out, error, isNamed: true)
    }
  }

  /// Replaces what an earlier merge left there; a creative that couldn't be opened has no folder.
  private func copy(_ name: String, from folder: String) throws(Fault) {
    let files = FileManager.default
    let (from, to) = (URL(filePath: "\(folder)/\(name)"), URL(filePath: "\(out)/\(name)"))
    guard files.fileExists(atPath: from.path), from.standardizedFileURL != to.standardizedFileURL else { return }
    do {
      try files.createDirectory(at: to.deletingLastPathComponent(), withIntermediateDirectories: true)
      if files.fileExists(atPath: to.path) {
        guard Self.isResult(to.path) else {
          throw Fault.request(
            "output-not-a-result", "\(to.path) wasn't left by a render, so it stays: choose another --out")
        }
        try files.removeItem(at: to)
      }
      try files.copyItem(at: from, to: to)
    } catch {
      throw error as? Fault ?? Fault.writing(to.path, error)
    }
  }

  /// Whether a render left it, or one on each of several devices.
  private static func isResult(_ path: String) -> Bool {
    if ResultFolder(path).isResult { return true }
    let below = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return below.allSatisfy { ResultFolder("\(path)/\($0)").isResult }
  }
}
