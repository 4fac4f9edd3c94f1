package import Core
internal import Glibc
package import JetStream

/// Contents as objects in NATS, for all machines of a queue.
package struct JetStreamContents: ContentStore {
  /// What is asked for is written down as new again only when it is older: in milliseconds.
  private static let touchAfter: Int64 = 3_600_000
  private let bucket: ObjectBucket

  /// Opens the contents of the queue of this name.
  package init(_ nats: NatsConnection, name: String = "galley", replicas: Int = 1) async throws(Fault) {
    var settings = BucketSettings(QueueNames(name).contents)
    settings.replicas = replicas
    bucket = try await ObjectBucket.open(settings, on: nats)
  }

  package func put(file: String) async throws(Fault) -> String {
    let hash = try ContentFile.hash(file)
    try await Retrying.run { () throws(Fault) in try await self.put(file, as: hash) }
    return hash
  }

  private func put(_ file: String, as hash: String) async throws(Fault) {
    // By the server that leads: pieces of what another doesn't know yet would stay for nobody.
    let known = try await bucket.info(hash)
    if let known, try await isWhole(known) { return }
    let source = try ContentFile.reading(file)
    let info = try await bucket.put(hash, over: known) { () throws(Fault) in try source.next() }
    // Somebody may have written to the file meanwhile: then it was kept under another's name.
    guard info.digest == ObjectBucket.digest(hex: hash) else {
      try await bucket.remove(hash)
      throw .engine("content-broken", "\(file) changed while it was read")
    }
  }

  package func get(_ hash: String, to file: String) async throws(Fault) {
    try ContentFile.check(hash)
    try await Retrying.run { () throws(Fault) in try await self.fetch(hash, to: file) }
  }

  private func fetch(_ hash: String, to file: String) async throws(Fault) {
    var found = try await bucket.glance(hash)
    if found == nil { found = try await bucket.info(hash) }
    guard var info = found else { throw ContentFile.missing(hash) }
    while true {
      guard info.digest == ObjectBucket.digest(hex: hash) else {
        throw .engine("content-broken", "the contents \(hash) aren't what was kept")
      }
      let target = try ContentFile.writing(file)
      do throws(Fault) {
        try await bucket.read(info) { (bytes) throws(Fault) in try target.write(bytes) }
        return
      } catch {
        unlink(file)
        if error.code == "nats-object-missing" { throw ContentFile.missing(hash) }
        guard error.code == "nats-object-broken" else { throw error }
        // Somebody who kept the same contents again has removed the pieces meanwhile, or did before this server knew.
        guard let latest = try await bucket.info(hash) else { throw ContentFile.missing(hash) }
        guard latest.nuid != info.nuid else { throw .engine("content-broken", error.message) }
        info = latest
      }
    }
  }

  /// What has lost its pieces isn't there: whoever has it keeps it again.
  package func has(_ hash: String) async throws(Fault) -> Bool {
    try ContentFile.check(hash)
    return try await Retrying.run { () throws(Fault) in try await self.isThere(hash) }
  }

  private func isThere(_ hash: String) async throws(Fault) -> Bool {
    guard let info = try await bucket.info(hash) else { return false }
    return try await isWhole(info)
  }

  /// Whether its pieces are there; then it is as if it had been kept of late.
  private func isWhole(_ info: ObjectInfo) async throws(Fault) -> Bool {
    guard try await bucket.hasPieces(info) else { return false }
    if bucket.age(of: info) > Self.touchAfter { try await bucket.touch(info) }
    return true
  }

  package func remove(_ hash: String) async throws(Fault) {
    try ContentFile.check(hash)
    try await Retrying.run { () throws(Fault) in try await self.bucket.remove(hash) }
  }

  package func expire(before timestamp: Int64) async throws(Fault) -> Int {
    var (count, place) = (0, Optional(UInt64(1)))
    while let from = place {
      let old = try await bucket.list(most: Self.expiredAtOnce, writtenBefore: timestamp, from: from)
      for info in old.objects { try await bucket.remove(info.name) }
      count += old.objects.count
      place = old.next
    }
    return count
  }

  /// As many as are held in memory meanwhile.
  private static let expiredAtOnce = 1_000
}
