package import Core
internal import Glibc

/// Store of files' contents for all machines of a queue, each stored once as an object in NATS and identified by its
/// SHA-256 in lower-case hex.
package struct JetStreamContents: Sendable {
  /// Age in milliseconds above which contents that are asked for are marked as new again.
  private static let touchAfter: Int64 = 3_600_000
  private let bucket: ObjectBucket

  /// Opens the contents of the queue of this name.
  package init(_ nats: NatsConnection, name: String = "galley", replicas: Int = 1) async throws(Fault) {
    var settings = BucketSettings(QueueNames(name).contents)
    settings.replicas = replicas
    bucket = try await ObjectBucket.open(settings, on: nats)
  }

  /// Stores a file's contents; returns their hash.
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

  /// Writes contents to a new file, and verifies their hash.
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
        throw .engine("content-broken", "the stored content \(hash) is corrupt")
      }
      let target = try ContentFile.writing(file)
      do throws(Fault) {
        try await bucket.read(info) { (bytes) throws(Fault) in try target.write(bytes) }
        return
      } catch {
        unlink(file)
        if error.has(.natsObjectMissing) { throw ContentFile.missing(hash) }
        guard error.has(.natsObjectBroken) else { throw error }
        // Somebody who kept the same contents again has removed the pieces meanwhile, or did before this server knew.
        guard let latest = try await bucket.info(hash) else { throw ContentFile.missing(hash) }
        guard latest.nuid != info.nuid else { throw .engine("content-broken", error.message) }
        info = latest
      }
    }
  }

  /// Indicates if contents are stored with their pieces; contents that have lost them count as missing, so that they
  /// are put again.
  package func has(_ hash: String) async throws(Fault) -> Bool {
    try ContentFile.check(hash)
    return try await Retrying.run { () throws(Fault) in try await self.isThere(hash) }
  }

  private func isThere(_ hash: String) async throws(Fault) -> Bool {
    guard let info = try await bucket.info(hash) else { return false }
    return try await isWhole(info)
  }

  /// Indicates if its pieces are there; if so and it is older than `touchAfter`, marks it as new.
  private func isWhole(_ info: ObjectInfo) async throws(Fault) -> Bool {
    guard try await bucket.hasPieces(info) else { return false }
    if bucket.age(of: info) > Self.touchAfter { try await bucket.touch(info) }
    return true
  }

  /// Removes contents; nothing happens to those that aren't there.
  package func remove(_ hash: String) async throws(Fault) {
    try ContentFile.check(hash)
    try await Retrying.run { () throws(Fault) in try await self.bucket.remove(hash) }
  }

  /// Removes contents that were neither put nor asked for since `timestamp`, in milliseconds since 1970; returns their
  /// number.
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

  /// Maximum number of expired objects that are held in memory at a time.
  private static let expiredAtOnce = 1_000
}

extension JetStreamContents {
  /// Fetches contents that are known to have been stored recently.
  ///
  /// A NATS server that becomes leader before it has caught up reports for some seconds that nothing is there: missing
  /// contents are requested again until `patience` has passed.
  package func getKept(_ hash: String, to file: String, patience: Duration) async throws(Fault) {
    try await Self.whenKnown(within: patience) { () throws(Fault) in try await get(hash, to: file) }
  }

  /// Repeats `fetch` while it throws that contents are missing, until `patience` has passed.
  static func whenKnown(within patience: Duration, _ fetch: () async throws(Fault) -> Void) async throws(Fault) {
    let end = ContinuousClock.now + patience
    while true {
      do throws(Fault) {
        return try await fetch()
      } catch {
        guard error.isMissingContents, ContinuousClock.now < end,
          (try? await Task.sleep(for: .milliseconds(500))) != nil
        else { throw error }
      }
    }
  }
}
