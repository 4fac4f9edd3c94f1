internal import Core
internal import Dispatch
internal import Logging
internal import Scheduling
internal import ServiceLifecycle

/// Removes results that are too old, and the oldest ones if they take too many bytes.
struct Retention: Service {
  let store: Store
  let data: DataFolder
  let days: Double
  let bytes: Int64
  /// Number of a creative's losses from which on they are kept permanently; fewer are removed with age.
  let losses: Int
  let log: Logger
  /// Election of the server that removes old renders; other servers of the queue only free space on their own disks.
  var leadership = Leadership(isAlone: true)
  /// Seconds between two passes.
  var pause = 300.0
  /// Milliseconds for which a removed render can be restored: a week.
  static let regret: Int64 = 7 * 86_400_000

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat {
        do {
          try await look(at: Instant.now)
        } catch {
          // Who is told to stop has nothing to tell of it.
          if Task.isCancelled { return }
          log.error("old results can't be removed", metadata: ["error": "\(error)"])
        }
      } while (try? await Task.sleep(for: Bounded.seconds(pause))) != nil
    }
  }

  /// Makes one pass: by age, then by size. Renders that haven't ended are never removed.
  func look(at timestamp: Int64) async throws(Fault) {
    let limit = timestamp - Int64(Bounded.int(days * 86_400_000, in: 0...1_000_000_000_000_000))
    guard leadership.isHeld else { return try await makeRoom(at: timestamp) }
    while !Task.isCancelled {
      let old = try await store.ended(before: limit, limit: 100)
      if old.isEmpty { break }
      for id in old { try await remove(id) }
    }
    while !Task.isCancelled {
      let old = try await store.removed(before: timestamp - Self.regret, limit: 100)
      if old.isEmpty { break }
      for id in old { try await remove(id) }
    }
    try await store.losses.forget(before: limit, fewerThan: losses)
    try await data.shelf?.expire(before: limit, at: timestamp)
    try await makeRoom(at: timestamp)
  }

  /// Removes the oldest renders if they exceed the limit: permanently, or only from this disk if several servers share
  /// them.
  private func makeRoom(at timestamp: Int64) async throws(Fault) {
    let blobs = BlobStore(data.blobs)
    while !Task.isCancelled {
      // To look through all of them takes long: until the next time what goes says what it frees.
      let excess = await sweep(blobs) - bytes
      guard excess > 0 else { return }
      if let shelf = data.shelf {
        guard try await shelf.clearOldest(freeing: excess) else { return }
      } else {
        guard try await removeOldest(freeing: excess, blobs, at: timestamp) else { return }
      }
    }
  }

  /// Sweeps all files on a thread outside Swift's pool, since a million of them can take minutes.
  private func sweep(_ blobs: BlobStore) async -> Int64 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: blobs.sweep()) }
    }
  }

  /// Removes renders until as many bytes are free; false if there were none.
  private func removeOldest(
    freeing bytes: Int64, _ blobs: BlobStore, at timestamp: Int64
  ) async throws(Fault) -> Bool {
    var (freed, count) = (Int64(0), 0)
    while freed < bytes, !Task.isCancelled {
      // What somebody removed goes first.
      let removed = try await store.removed(before: timestamp, limit: 20)
      let oldest = removed.isEmpty ? try await store.ended(before: timestamp, limit: 20) : removed
      if oldest.isEmpty { break }
      for id in oldest where freed < bytes {
        freed += blobs.bytes(onlyIn: data.render(id).path)
        count += 1
        try await remove(id)
      }
    }
    return count > 0
  }

  private func remove(_ id: String) async throws(Fault) {
    let parcel = data.shelf == nil ? nil : try await store.render(id)?.parcel
    guard try await store.forget(id) else { return }
    if let parcel { await data.shelf?.remove(parcel: parcel) }
    DurableFile.remove(data.render(id).path, by: data.newScratch())
  }
}
