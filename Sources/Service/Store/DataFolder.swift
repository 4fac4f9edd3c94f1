package import Core
internal import Foundation
internal import Glibc
internal import RenderModel

/// Where a server keeps everything: the database, a folder for each render, and each file's contents once.
package struct DataFolder: Sendable {
  package let path: String
  /// Where files are that several servers share; nil where there is one.
  var shelf: FarmShelf?

  /// Makes the folders that are missing; the whole is for this user's eyes alone.
  package init(_ path: String) throws(Fault) {
    self.path = path
    for folder in [path, renders, blobs, scratch] { try Self.make(folder) }
    guard access(path, W_OK) == 0 else { throw .request("data-unwritable", "the folder \(path) can't be written to") }
  }

  package var renders: String { path + "/renders" }
  package var blobs: String { path + "/blobs" }
  /// What isn't accepted yet, and what is on its way out; emptied at each start.
  package var scratch: String { path + "/tmp" }
  /// What lay among the renders and the database doesn't know: for somebody to look at, never removed.
  package var unknown: String { path + "/unknown" }
  package var baselines: String { path + "/baselines" }

  /// Empties the scratch folder.
  package func clearScratch() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: scratch)
    for name in names ?? [] { try? FileManager.default.removeItem(atPath: "\(scratch)/\(name)") }
  }

  /// Moves what the database doesn't know out of the way, and says where: an older one that was put back mustn't cost
  /// results.
  package func setAside(_ name: String) throws(Fault) -> String {
    let place = "\(unknown)/\(name)"
    try Self.make(unknown)
    try DurableFile.move("\(renders)/\(name)", to: place)
    return place
  }

  private static func make(_ folder: String) throws(Fault) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .request("data-unwritable", "can't make the folder \(folder): \(error.localizedDescription)")
    }
  }

  /// Names of all that lies among the renders.
  package var found: [String] { (try? FileManager.default.contentsOfDirectory(atPath: renders)) ?? [] }

  /// Where one render's files are.
  package func render(_ id: String) -> RenderFolder { RenderFolder("\(renders)/\(id)") }

  /// The folder of a render's one result.
  func result(of row: RenderRow) -> ResultFolder { ResultFolder(render(row.id).result(row.name)) }

  /// The file of what a render recorded or was answered by; nil where there is neither.
  func recording(of row: RenderRow) -> String? {
    let kept = result(of: row).recordingFile
    return access(kept, R_OK) == 0 ? kept : render(row.id).recordingFile
  }

  /// A render whose files are here, wherever they were.
  func atHome(_ row: RenderRow) async throws(Fault) -> RenderRow {
    try await shelf?.bringHome(row)
    return row
  }

  /// Does something about baselines while no other server does.
  func together<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    guard let shelf else { return try await body() }
    return try await shelf.together(body)
  }

  /// Makes sure that baselines here are what other servers have made of them.
  func refreshBaselines() async throws(Fault) { try await shelf?.refreshBaselines() }

  /// A new path in the scratch folder.
  package func newScratch() -> String { "\(scratch)/\(UUID().uuidString.lowercased())" }
}

/// One render's files.
package struct RenderFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The creative as it was delivered, alone in a folder, so that nothing else is served beside it.
  package var creative: String { path + "/creative" }
  static let recordingName = "recording"
  /// The recording that answers, unpacked; beside it lies the file that it came as.
  var recording: String { "\(path)/\(Self.recordingName)" }
  /// That file; nil where nothing recorded answers.
  var recordingFile: String? {
    ["\(recording).zip", "\(recording).har"].first { access($0, R_OK) == 0 }
  }
  /// The results, in the form that every command leaves.
  package var results: String { path + "/out" }
  /// The results of the one creative, below the report.
  package func result(_ name: String) -> String { "\(results)/\(name)" }
}
