internal import Cluster
internal import Core
internal import Foundation
internal import GRDB

/// A copy of the shared state at a position of the journal.
///
/// New servers start from it, so that old changes can be removed from the journal.
enum Snapshot {
  struct Latest: Codable, Sendable {
    let place: UInt64
    /// The hash of the database's file among the contents.
    let hash: String
    /// A server's signature of both; nil before it is signed.
    var proof: String?

    fileprivate var text: String { "\(place)\n\(hash)" }
  }

  private static let name = "snapshot"
  /// Number of changes after which the next snapshot is taken.
  static let pause: UInt64 = 50_000

  /// The latest snapshot signed by a server of this queue; nil if there is none.
  static func latest(_ cluster: ClusterConnection, _ key: SigningKey) async throws(Fault) -> Latest? {
    try await cluster.fact(name).flatMap { try? JSONDecoder().decode(Latest.self, from: Data($0.utf8)) }
      .flatMap { latest in key.holds(latest.proof ?? "", name, latest.text) ? latest : nil }
  }

  /// Replaces the database by the latest snapshot if it is missing or too old to follow the journal.
  static func restore(_ cluster: ClusterConnection, _ key: SigningKey, to data: DataFolder) async throws(Fault) {
    let path = "\(data.path)/galley.sqlite"
    let exists = FileManager.default.fileExists(atPath: path)
    if exists {
      let place = try await Store(folder: data.path).position.place()
      guard place + 1 < (try await cluster.journal.ends().first) else { return }
    }
    guard let latest = try await latest(cluster, key) else { return }
    let scratch = data.newScratch()
    try await cluster.contents.get(latest.hash, to: scratch)
    for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
    try DurableFile.move(scratch, to: path)
  }

  /// Takes a snapshot and removes the changes before the previous one; those since then stay for servers that read them
  /// now.
  static func take(
    _ cluster: ClusterConnection, _ key: SigningKey, _ store: Store, _ data: DataFolder
  ) async throws(Fault) {
    let before = try await latest(cluster, key)
    let scratch = data.newScratch()
    defer { unlink(scratch) }
    let place = try await store.copy(to: scratch)
    guard place > (before?.place ?? 0) else { return }
    let hash = try await cluster.contents.put(file: scratch)
    var latest = Latest(place: place, hash: hash)
    latest.proof = key.signature(name, latest.text)
    try await cluster.setFact(name, JSONText.plain(latest) ?? "{}")
    if let before { try await cluster.journal.forget(through: before.place) }
  }
}

extension Store {
  /// Copies the database at one moment; returns the journal position of the copy.
  fileprivate func copy(to file: String) async throws(Fault) -> UInt64 {
    do {
      try await pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [file]) }
      let copy = try DatabaseQueue(path: file)
      let place = try await copy.read { try Int64.fetchOne($0, sql: "SELECT place FROM position") ?? 0 }
      try copy.close()
      return UInt64(clamping: place)
    } catch {
      throw StoreFault.of(error)
    }
  }
}
