package import Core
internal import Foundation
internal import Glibc
internal import RenderModel
package import Scheduling

/// Folder for all data of a server: the database, a folder for each render, and the store of contents.
package struct DataFolder: Sendable {
  package let path: String
  /// Storage shared with other servers; nil for a single server.
  var shelf: SharedFileStore?

  /// Creates the missing folders, which only the current user can read.
  package init(_ path: String) throws(Fault) {
    self.path = path
    for folder in [path, renders, blobs, scratch] { try Self.make(folder) }
    guard access(path, W_OK) == 0 else { throw .request("data-unwritable", "the folder \(path) isn't writable") }
  }

  package var renders: String { path + "/renders" }
  package var blobs: String { path + "/blobs" }
  /// Folder for uploads not accepted yet and for files being removed; emptied at each start.
  package var scratch: String { path + "/tmp" }
  /// Folder for files that lay among the renders but aren't in the database; kept for inspection, never removed.
  package var unknown: String { path + "/unknown" }
  package var baselines: String { path + "/baselines" }

  /// Empties the scratch folder.
  package func clearScratch() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: scratch)
    for name in names ?? [] { try? FileManager.default.removeItem(atPath: "\(scratch)/\(name)") }
  }

  /// Moves files unknown to the database aside and returns their new path, so that restoring an older database loses no
  /// results.
  package func setAside(_ name: String) throws(Fault) -> String {
    let place = "\(unknown)/\(name)"
    try Self.make(unknown)
    try DurableFile.move("\(renders)/\(name)", to: place)
    return place
  }

  private static func make(_ folder: String) throws(Fault) {
    do {
      try PrivateFolder.make(folder)
    } catch {
      throw .request("data-unwritable", "can't make the folder \(folder): \(error)")
    }
  }

  /// Names of all entries in the renders' folder.
  package var found: [String] { (try? FileManager.default.contentsOfDirectory(atPath: renders)) ?? [] }

  /// The folder of a render.
  package func render(_ id: String) -> RenderFolder { RenderFolder("\(renders)/\(id)") }

  /// The folder of a render's result.
  func result(of row: RenderRow) -> ResultFolder { ResultFolder(render(row.id).result(row.name)) }

  /// The recording that a render made or was answered by; nil if there is neither.
  func recording(of row: RenderRow) -> String? {
    let kept = result(of: row).recordingFile
    return access(kept, R_OK) == 0 ? kept : render(row.id).recordingFile
  }

  /// The render, after its files were fetched to this machine if other servers have them.
  func atHome(_ row: RenderRow) async throws(Fault) -> RenderRow {
    try await shelf?.bringHome(row)
    return row
  }

  /// Runs a body about baselines under a lock of all servers.
  func together<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    guard let shelf else { return try await body() }
    return try await shelf.together(body)
  }

  /// Updates the baselines to the state that all servers share.
  func refreshBaselines() async throws(Fault) { try await shelf?.refreshBaselines() }

  /// A new path in the scratch folder.
  package func newScratch() -> String { "\(scratch)/\(UUID().uuidString.lowercased())" }
}
