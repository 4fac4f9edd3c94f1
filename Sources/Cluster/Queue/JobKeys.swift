internal import Core

/// Idempotency keys of accepted jobs, in a bucket of values: the fingerprint of the request and the id of the job.
struct JobKeys: Sendable {
  private let bucket: KeyValueBucket

  init(_ bucket: KeyValueBucket) { self.bucket = bucket }

  /// Reserves a key for a job; returns the id of the other job that the key already belongs to, if any.
  ///
  /// Throws `idempotency-key-reused` if the key belongs to another request.
  func claim(_ key: JobKey, for id: String) async throws(Fault) -> String? {
    let (name, bytes) = (Self.name(of: key), Array("\(key.fingerprint) \(id)".utf8))
    for _ in 0..<Retrying.mostWrites {
      do throws(Fault) {
        _ = try await Retrying.run { () throws(Fault) in try await self.bucket.create(name, bytes) }
        return nil
      } catch let error where error.has(.natsRevisionDiffers) {
        guard let known = try await bucket.get(name)?.bytes else { continue }
        let words = String(decoding: known, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == key.fingerprint else { throw JobKey.reused }
        // An attempt before may have come through without an answer.
        return words[1] == id ? nil : String(words[1])
      }
    }
    throw Retrying.busy("an idempotency key")
  }

  /// Makes a key free again.
  func remove(_ key: JobKey) async throws(Fault) { try await bucket.remove(Self.name(of: key)) }

  private static func name(of key: JobKey) -> String { SHA256.of("\(key.owner)\u{0}\(key.key)").hex }
}
