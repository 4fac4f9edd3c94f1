internal import Comparison
internal import Core
internal import GRDB

/// Index of the files that servers share: the manifest of each baseline, and the parcel of each comparison.
struct SharedFileIndex: Sendable {
  let database: Store

  /// The hash of the parcel with a comparison's files; nil if it isn't kept.
  func comparison(_ id: String) async throws(Fault) -> String? {
    try await database.read {
      try String.fetchOne($0, sql: "SELECT parcel FROM comparison WHERE id = ?", arguments: [id])
    }
  }

  /// Indicates if the servers share a baseline with this key.
  func hasBaseline(_ key: BaselineKey) async throws(Fault) -> Bool {
    try await database.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT manifest IS NOT NULL FROM baseline WHERE creative = ? AND variant = ?",
        arguments: [key.creative, key.variant]) ?? false
    }
  }

  /// The baselines shared by the servers as hashes of manifests; nil for those that were removed.
  func baselines() async throws(Fault) -> [(key: BaselineKey, manifest: String?)] {
    try await database.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM baseline").map {
        (BaselineKey(creative: $0["creative"], variant: $0["variant"]), $0["manifest"])
      }
    }
  }
}

extension Store {
  /// Index of the files that servers share.
  var sharedFiles: SharedFileIndex { SharedFileIndex(database: self) }
}

/// Change of a baseline for all servers.
struct SetBaseline: StoreChange {
  static let kind = "baseline"
  let key: BaselineKey
  /// The hash of its manifest; nil where it was removed.
  let manifest: String?

  func apply(to db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO baseline (creative, variant, manifest) VALUES (?, ?, ?)",
      arguments: [key.creative, key.variant, manifest])
  }
}

/// Record of the parcel with a comparison's files.
struct KeepComparison: StoreChange {
  static let kind = "comparison"
  /// Number of the latest comparisons that are kept.
  private static let most = 500
  let id: String
  let parcel: String

  func apply(to db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO comparison (id, parcel) VALUES (?, ?)", arguments: [id, parcel])
    // Their ids are sorted by time.
    try db.execute(
      sql: "DELETE FROM comparison WHERE id IN (SELECT id FROM comparison ORDER BY id DESC LIMIT -1 OFFSET ?)",
      arguments: [Self.most])
  }
}
