internal import Checks
package import Core
internal import FoundationEssentials
internal import RenderModel
package import Reports

/// Copies the results of a batch's parts into one folder and writes their joint report.
package struct ReportMerger {
  private let out: String

  package init(out: String) { self.out = out }

  /// Writes the merged results and report.
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

  /// Copies a result and replaces one of an earlier merge; a creative that couldn't be opened has no folder.
  private func copy(_ name: String, from folder: String) throws(Fault) {
    let files = FileManager.default
    let (from, to) = ("\(folder)/\(name)", "\(out)/\(name)")
    guard let place = AbsolutePath.real(from), place != AbsolutePath.real(to) else { return }
    guard AbsolutePath.isOwn(name, in: folder), AbsolutePath.isFolder(from) else {
      throw .request("report-unreadable", "\(from.printable) must be a folder, not a link")
    }
    var copy = ResultCopy()
    try copy.look(from)
    do {
      if files.fileExists(atPath: to) {
        guard Self.isResult(to) else {
          throw Fault.request(
            "output-not-a-result", "\(to) wasn't written by a render, so it isn't replaced: choose another --out")
        }
        try files.removeItem(atPath: to)
      }
      try copy.write(to)
    } catch {
      throw error as? Fault ?? Fault.writing(to, error)
    }
  }

  /// Returns true if the folder is a render's result, or has results of several devices only.
  private static func isResult(_ path: String) -> Bool {
    if ResultFolder(path).isResult { return true }
    let below = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return below.allSatisfy { ResultFolder("\(path)/\($0)").isResult }
  }
}

/// Files of a result to copy: only regular files, and no more than a render can write.
private struct ResultCopy {
  private static let (mostFiles, deepest) = (20_000, 16)

  private var root = ""
  private var folders: [String] = []
  private var files: [String] = []

  /// Finds the files below a folder, before anything is written.
  /// - Throws: `report-unreadable` for a link, pipe or device, and for too many files.
  mutating func look(_ root: String) throws(Fault) {
    self.root = root
    var waiting = [(name: "", depth: 0)]
    while let (name, depth) = waiting.popLast() {
      let path = name.isEmpty ? root : "\(root)/\(name)"
      guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        throw .request("report-unreadable", "can't read \(path.printable)")
      }
      folders.append(name)
      guard files.count + folders.count + entries.count <= Self.mostFiles, depth < Self.deepest else {
        throw .request("report-unreadable", "\(root.printable) has more files than a render writes")
      }
      for entry in entries {
        let below = name.isEmpty ? entry : "\(name)/\(entry)"
        switch Self.type("\(root)/\(below)") {
        case .typeDirectory: waiting.append((below, depth + 1))
        case .typeRegular: files.append(below)
        default:
          throw .request("report-unreadable", "\(root)/\(below) must be a regular file, not a link".printable)
        }
      }
    }
  }

  /// Copies the files into a new folder.
  func write(_ target: String) throws {
    for folder in folders {
      let path = folder.isEmpty ? target : "\(target)/\(folder)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for file in files { try FileManager.default.copyItem(atPath: "\(root)/\(file)", toPath: "\(target)/\(file)") }
  }

  private static func type(_ path: String) -> FileAttributeType? {
    try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }
}
