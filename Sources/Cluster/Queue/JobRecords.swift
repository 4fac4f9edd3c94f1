internal import Core
internal import FoundationEssentials

/// Records of a queue's jobs, in a bucket of values where a change needs the latest revision.
struct JobRecords: Sendable {
  /// Record of a job, its revision, and the time in milliseconds since 1970 at which it was written.
  typealias Entry = (record: JobRecord, revision: UInt64, timestamp: Int64)

  private let bucket: KeyValueBucket

  init(_ bucket: KeyValueBucket) { self.bucket = bucket }

  /// Returns the latest record of a job; nil for one that isn't known, or was forgotten.
  func entry(_ id: String) async throws(Fault) -> Entry? {
    let entry = try await Retrying.run { () throws(Fault) in try await self.bucket.get(id) }
    guard let entry, entry.bytes != nil else { return nil }
    guard let known = Self.read(entry, of: id) else {
      throw .engine(.dataLost, "the stored job \(id) can't be read")
    }
    return known
  }

  /// Returns the record of a job on any server, which may be slightly outdated; nil if it isn't there or can't be read.
  func glance(_ id: String) async throws(Fault) -> Entry? {
    try await bucket.glance(id).flatMap { Self.read($0, of: id) }
  }

  /// Decodes a record; nil if the entry isn't a valid record of this job.
  private static func read(_ entry: KeyValueEntry, of id: String) -> Entry? {
    guard let bytes = entry.bytes, let record = try? JSONDecoder().decode(JobRecord.self, from: Data(bytes)),
      record.job.id == id, record.isSound
    else { return nil }
    return (record, entry.revision, entry.timestamp)
  }

  /// Writes the record of a new job; returns false if there is one already.
  func create(_ record: JobRecord) async throws(Fault) -> Bool {
    let bytes = try record.bytes
    do throws(Fault) {
      _ = try await Retrying.run { () throws(Fault) in try await self.bucket.create(record.job.id, bytes) }
      return true
    } catch let error where error.has(.natsRevisionDiffers) {
      // An attempt before may have come through without an answer.
      return try await entry(record.job.id)?.record == record
    }
  }

  /// Writes a record in place of a revision; returns the new revision, or nil if another process wrote meanwhile.
  func update(_ record: JobRecord, _ revision: UInt64) async throws(Fault) -> UInt64? {
    let bytes = try record.bytes
    return try await Retrying.run { () throws(Fault) -> UInt64? in
      do throws(Fault) {
        return try await self.bucket.update(record.job.id, bytes, revision: revision)
      } catch let error where error.has(.natsRevisionDiffers) {
        // An attempt before may have come through without an answer.
        guard let entry = try await self.entry(record.job.id), entry.record == record else { return nil }
        return entry.revision
      }
    }
  }

  /// Writes a record in place of one that can't be read.
  func replace(with record: JobRecord) async throws(Fault) {
    let bytes = try record.bytes
    try await Retrying.run { () throws(Fault) in _ = try await self.bucket.put(record.job.id, bytes) }
  }

  func remove(_ id: String) async throws(Fault) { try await bucket.remove(id) }
}
