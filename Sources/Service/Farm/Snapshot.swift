internal import Core
internal import Foundation
internal import GRDB
internal import Queue

/// What all servers remember, as one of them had it at a place of the journal: where a new server begins, so that the
/// journal needn't be kept for ever.
enum Snapshot {
  struct Latest: Codable, Sendable {
    let place: UInt64
    /// Of the database's file among the contents.
    let hash: String
  }

  private static let name = "snapshot"
  /// Changes after which another one is taken.
  static let pause: UInt64 = 50_000

  static func latest(_ farm: Farm) async throws(Fault) -> Latest? {
    try await farm.fact(name).flatMap { try? JSONDecoder().decode(Latest.self, from: Data($0.utf8)) }
  }

  /// Begins with the latest where the folder has no database, or one that is too far behind.
  static func restore(_ farm: Farm, to data: DataFolder) async throws(Fault) {
    let path = "\(data.path)/galley.sqlite"
    let exists = FileManager.default.fileExists(atPath: path)
    if exists {
      let place = try await Store(folder: data.path).place()
      guard place + 1 < (try await farm.journal.ends().first) else { return }
    }
    guard let latest = try await latest(farm) else { return }
    let scratch = data.newScratch()
    try await farm.contents.get(latest.hash, to: scratch)
    for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
    try DurableFile.move(scratch, to: path)
  }

  /// Takes one, and forgets the changes before the one before it: a server that reads them right now has time to.
  static func take(_ farm: Farm, _ store: Store, _ data: DataFolder) async throws(Fault) {
    let before = try await latest(farm)
    let scratch = data.newScratch()
    defer { unlink(scratch) }
    let place = try await store.copy(to: scratch)
    guard place > (before?.place ?? 0) else { return }
    let hash = try await farm.contents.put(file: scratch)
    try await farm.setFact(name, JSONText.plain(Latest(place: place, hash: hash)) ?? "{}")
    if let before { try await farm.journal.forget(through: before.place) }
  }
}

extension Store {
  /// Copies the database as it is at one moment; returns the place that it has followed by then.
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
