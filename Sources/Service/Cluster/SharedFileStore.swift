internal import Application
internal import Cluster
internal import Comparison
internal import Core
internal import Foundation
internal import GRDB
internal import Glibc
internal import RenderModel
internal import Scheduling
internal import Synchronization

/// Fetches files that servers of a queue share, and publishes those of this server.
final class SharedFileStore: Sendable {
  let cluster: ClusterConnection
  private let key: SigningKey
  private let data: DataFolder
  private let replica: Replica
  private let store: Store
  /// Serialises fetches of the same item.
  private let turns = KeyedTurns()
  /// Time of the last removal of old contents, in milliseconds since 1970.
  private let latestExpiry = Mutex<Int64>(0)

  init(_ cluster: ClusterConnection, _ key: SigningKey, _ data: DataFolder, _ replica: Replica, _ store: Store) {
    (self.cluster, self.key, self.data, self.replica, self.store) = (cluster, key, data, replica, store)
  }

  /// Fetches a render's creative and result into its folder, as far as they are still stored.
  func bringHome(_ row: RenderRow) async throws(Fault) {
    do throws(Fault) {
      try await fetch(row)
    } catch let error where error.has(.contentMissing) {
      // What was too old is gone, as if the render had left nothing.
    }
  }

  /// The same, with the fault `content-missing` for a file that isn't stored.
  ///
  /// - Parameter patience: maximum time to wait for contents that were certainly stored.
  func fetch(_ row: RenderRow, patience: Duration = .zero) async throws(Fault) {
    // What isn't a name of a file is never a path, whoever wrote it down.
    guard RenderID.isOne(row.id), row.file.map(AbsolutePath.isPlainName) ?? true else {
      throw .engine("data-failed", "the render \(row.id.printable(limit: 64)) has invalid file names")
    }
    let folder = data.render(row.id)
    let lacksCreative = row.file != nil && !Self.exists(folder.creative)
    let lacksResult = row.parcel != nil && !Self.exists(folder.results)
    guard lacksCreative || lacksResult else { return }
    try await turns.take(row.id) { () throws(Fault) in
      if let file = row.file { try await self.bring(row.content, to: folder.creative, as: file, in: folder, patience) }
      if let parcel = row.parcel { try await self.bring(parcel, to: folder.results, in: folder, patience) }
    }
  }

  /// Fetches contents into a folder that appears in one step, as a file or as the files of a parcel.
  private func bring(
    _ hash: String, to place: String, as name: String? = nil, in folder: RenderFolder, _ patience: Duration
  ) async throws(Fault) {
    guard !Self.exists(place) else { return }
    let (scratch, fetched) = (data.newScratch(), data.newScratch())
    defer { for path in [scratch, fetched] { try? FileManager.default.removeItem(atPath: path) } }
    do throws(Fault) {
      try await cluster.contents.getKept(hash, to: fetched, patience: patience)
      if let name {
        try Self.make(scratch)
        try DurableFile.move(fetched, to: "\(scratch)/\(name)")
      } else {
        try ResultArchive.unpack(fetched, to: scratch)
      }
    } catch {
      // What isn't kept, or is something else, stays so; all else may do better in a while.
      throw error.code.hasPrefix("content-") ? error : Replica.unreachable(error)
    }
    try Self.make(folder.path)
    try DurableFile.move(scratch, to: place)
  }

  /// Runs a body about baselines under a lock of all servers, after applying the changes that others made before.
  func together<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    try await cluster.locks.with("reviews") {
      try await self.refreshBaselines()
      return try await body()
    }
  }

  /// Updates the baselines of this server to the state that the servers have agreed on by now.
  func refreshBaselines() async throws(Fault) {
    try await replica.catchUp()
    try await bringBaselines()
  }

  /// Publishes a baseline of this server to all others: first its files, then the change.
  func publish(_ key: BaselineKey) async throws(Fault) {
    let baselines = BaselineStore(data.baselines)
    guard let manifest = try baselines.manifest(key) else {
      _ = try await store.commit(SetBaseline(key: key, manifest: nil))
      return
    }
    for name in manifest.objects { _ = try await cluster.contents.put(file: baselines.objectPath(name)) }
    let hash = try baselines.keep(Document.bytes(manifest), as: "json")
    _ = try await cluster.contents.put(file: baselines.objectPath("\(hash).json"))
    _ = try await store.commit(SetBaseline(key: key, manifest: hash))
  }

  /// The same with the changes that this server has received so far.
  func bringBaselines() async throws(Fault) {
    try await turns.take("baselines") { () throws(Fault) in
      let baselines = BaselineStore(self.data.baselines)
      for (key, hash) in try await self.store.sharedFiles.baselines() {
        let current = try baselines.manifest(key)
        guard current.map({ Document.hash(ofJSON: $0) }) != hash else { continue }
        guard let hash else {
          if current != nil { try baselines.remove(key) }
          continue
        }
        try baselines.write(try await self.bring(manifest: hash), key)
      }
    }
  }

  /// Fetches a present or former baseline by its manifest's hash, with all its files.
  @discardableResult func bring(manifest hash: String) async throws(Fault) -> BaselineManifest {
    let baselines = BaselineStore(data.baselines)
    try await bringObject("\(hash).json", to: baselines)
    guard let manifest = try? JSONDecoder().decode(BaselineManifest.self, from: Data(baselines.object("\(hash).json")))
    else { throw .engine("baseline-broken", "a stored baseline can't be read") }
    for name in manifest.objects { try await bringObject(name, to: baselines) }
    return manifest
  }

  private func bringObject(_ name: String, to baselines: BaselineStore) async throws(Fault) {
    let path = baselines.objectPath(name)
    guard !Self.exists(path) else { return }
    let scratch = data.newScratch()
    do throws(Fault) {
      try await cluster.contents.get(Self.hash(name), to: scratch)
    } catch {
      throw Replica.unreachable(error)
    }
    try Self.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
    try DurableFile.move(scratch, to: path)
  }

  /// Uploads a comparison's files for the other servers.
  func share(comparison id: String, at folder: String) async throws(Fault) {
    let scratch = data.newScratch()
    defer { unlink(scratch) }
    try ResultArchive.pack(folder, to: scratch)
    let parcel = try await cluster.contents.put(file: scratch)
    try await store.commit(KeepComparison(id: id, parcel: parcel))
  }

  /// Fetches a comparison's files that another server uploaded; does nothing if there are none.
  func bring(comparison id: String, to folder: String) async throws(Fault) {
    guard !Self.exists(folder), let parcel = try await store.sharedFiles.comparison(id) else { return }
    try await turns.take(id) { () throws(Fault) in
      guard !Self.exists(folder) else { return }
      let (scratch, fetched) = (self.data.newScratch(), self.data.newScratch())
      defer { unlink(fetched) }
      try await self.cluster.contents.get(parcel, to: fetched)
      try ResultArchive.unpack(fetched, to: scratch)
      try Self.make(String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)]))
      try DurableFile.move(scratch, to: folder)
    }
  }

  /// Removes contents that are older than all references to them; files of baselines are kept.
  func expire(before limit: Int64, at timestamp: Int64) async throws(Fault) {
    let isDue = latestExpiry.withLock { latest in
      guard timestamp - latest > Self.expiryPause else { return false }
      latest = timestamp
      return true
    }
    guard isDue else { return }
    do throws(Fault) {
      for case (_, let hash?) in try await store.sharedFiles.baselines() {
        for name in try await bring(manifest: hash).objects { _ = try await cluster.contents.has(Self.hash(name)) }
        _ = try await cluster.contents.has(hash)
      }
      if let snapshot = try await Snapshot.latest(cluster, key) { _ = try await cluster.contents.has(snapshot.hash) }
      _ = try await cluster.contents.expire(before: limit - 86_400_000)
      _ = try await cluster.batchContents.expire(before: limit - 86_400_000)
    } catch {
      throw Replica.unreachable(error)
    }
  }

  /// Removes a result's files from the shared store.
  func remove(parcel: String) async { try? await cluster.contents.remove(parcel) }

  /// Removes the files of the oldest renders from this machine, which can be fetched again; false if there are none.
  func clearOldest(freeing bytes: Int64) async throws(Fault) -> Bool {
    let blobs = BlobStore(data.blobs)
    var (freed, count) = (Int64(0), 0)
    for name in data.found.sorted() where freed < bytes {
      guard RenderID.isOne(name), let row = try await store.render(name), row.status.isFinal else { continue }
      freed += blobs.bytes(onlyIn: data.render(name).path)
      count += 1
      DurableFile.remove(data.render(name).path, by: data.newScratch())
    }
    return count > 0
  }

  /// Milliseconds between two removals of old contents.
  private static let expiryPause: Int64 = 3_600_000

  /// The hash in the name of a baseline's file.
  private static func hash(_ name: String) -> String { String(name.prefix { $0 != "." }) }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private static func make(_ folder: String) throws(Fault) {
    do {
      try PrivateFolder.make(folder)
    } catch {
      throw Fault.writing(folder, error)
    }
  }
}

/// Runs tasks with the same key one after the other.
private actor KeyedTurns {
  private var tails: [String: Task<Void, Never>] = [:]

  func take(_ key: String, _ body: @escaping @Sendable () async throws(Fault) -> Void) async throws(Fault) {
    let before = tails[key]
    let work = Task { () -> Result<Void, Fault> in
      await before?.value
      do throws(Fault) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    let tail = Task { _ = await work.value }
    tails[key] = tail
    let result = await work.value
    if tails[key] == tail { tails[key] = nil }
    try result.get()
  }
}
