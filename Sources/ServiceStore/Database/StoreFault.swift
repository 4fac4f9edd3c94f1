internal import GRDB
internal import Jobs

/// Whose fault it is when the database can't be used: always the machine's.
enum StoreFault {
  static func of(_ error: any Error) -> Fault {
    if let fault = error as? Fault { return fault }
    guard let error = error as? DatabaseError else { return .engine("store-failed", "the database failed: \(error)") }
    let reason = error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)"
    return error.resultCode == .SQLITE_FULL
      ? .engine("disk-full", "there is no room left for the database: \(reason)")
      : .engine("store-failed", "the database failed: \(reason)")
  }
}
