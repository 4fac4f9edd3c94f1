internal import CNats
package import Core

/// Settings for a bucket of values.
package struct BucketSettings: Hashable, Sendable {
  package var name: String
  /// Time for which a value is stored after it was last written; nil for ever.
  package var age: Duration?
  /// Maximum number of bytes; nil for no limit of its own.
  package var mostBytes: Int64?
  /// Number of the cluster's servers that store the bucket, 1 to 5.
  package var replicas = 1

  package init(_ name: String) { self.name = name }
}

/// A version of a value.
package struct KeyValueEntry: Hashable, Sendable {
  package let key: String
  /// Bytes of the value; nil if the key was removed.
  package let bytes: [UInt8]?
  /// Revision of the version, which grows with every write to the bucket; an update has to name it.
  package let revision: UInt64
  /// Time at which it was written, in milliseconds since 1970.
  package let timestamp: Int64
}

/// Bucket of values by key; a change names the version on which it is based.
package final class KeyValueBucket: Sendable {
  private let nats: NatsConnection
  private let store: LibraryPointer
  package let name: String

  /// Opens the bucket, and creates it if it doesn't exist.
  package static func open(_ settings: BucketSettings, on nats: NatsConnection) async throws(Fault) -> KeyValueBucket {
    try await nats.callWhileInTheWay { (nats) throws(Fault) in try KeyValueBucket(settings, nats) }
  }

  private init(_ settings: BucketSettings, _ nats: NatsConnection) throws(Fault) {
    (self.nats, name) = (nats, settings.name)
    store = try CTexts.use { (texts) throws(Fault) in
      var store: OpaquePointer?
      var status = js_KeyValue(&store, nats.stream.pointer, settings.name)
      if status == NATS_NOT_FOUND {
        var configuration = kvConfig()
        kvConfig_Init(&configuration)
        configuration.Bucket = texts.text(settings.name)
        configuration.History = 1
        configuration.TTL = settings.age?.nanoseconds ?? 0
        configuration.MaxBytes = settings.mostBytes ?? -1
        configuration.StorageType = js_FileStorage
        configuration.Replicas = Int32(settings.replicas)
        status = js_CreateKeyValue(&store, nats.stream.pointer, &configuration)
      }
      guard status == NATS_OK, let pointer = LibraryPointer(store) else {
        throw NatsFault.fault(status, "use the bucket \(settings.name)")
      }
      return pointer
    }
  }

  deinit { kvStore_Destroy(store.pointer) }

  /// Returns the latest version, from the server that leads the bucket; nil for a key that isn't there or was removed.
  package func get(_ key: String) async throws(Fault) -> KeyValueEntry? {
    // The library's own way asks any server that keeps the bucket, which may be behind.
    try await read(key) { (nats, stream, subject) throws(Fault) in
      try nats.blockingLastMessage(of: stream, subject: subject)
    }
  }

  /// Returns a version that is or recently was the latest, from any server that stores the bucket; nil if that server
  /// has none.
  ///
  /// It costs less than `get`, and suits callers that verify the version with an update.
  package func glance(_ key: String) async throws(Fault) -> KeyValueEntry? {
    try await read(key) { (nats, stream, subject) throws(Fault) in
      try nats.blockingGlance(at: stream, subject: subject)
    }
  }

  private func read(
    _ key: String,
    _ look: @escaping @Sendable (NatsConnection, _ stream: String, _ subject: String) throws(Fault) -> NatsMessage?
  ) async throws(Fault) -> KeyValueEntry? {
    let name = name
    try check(key)
    return try await nats.call { (nats) throws(Fault) in
      guard let message = try look(nats, "KV_\(name)", "$KV.\(name).\(key)"), message.headers["KV-Operation"] == nil
      else { return nil }
      return KeyValueEntry(key: key, bytes: message.bytes, revision: message.sequence, timestamp: message.timestamp)
    }
  }

  /// Writes a value regardless of an existing one; returns its revision.
  @discardableResult package func put(_ key: String, _ bytes: [UInt8]) async throws(Fault) -> UInt64 {
    try await write(key, bytes) { kvStore_Put($0, $1, $2, $3, $4) }
  }

  /// Writes a value for a key without one; otherwise throws `nats-revision-differs`.
  @discardableResult package func create(_ key: String, _ bytes: [UInt8]) async throws(Fault) -> UInt64 {
    try await write(key, bytes) { kvStore_Create($0, $1, $2, $3, $4) }
  }

  /// Replaces exactly the version with this revision; otherwise throws `nats-revision-differs`.
  @discardableResult package func update(
    _ key: String, _ bytes: [UInt8], revision: UInt64
  ) async throws(Fault) -> UInt64 {
    try await write(key, bytes) { kvStore_Update($0, $1, $2, $3, $4, revision) }
  }

  private func write(
    _ key: String, _ bytes: [UInt8],
    _ call:
      @escaping @Sendable (
        UnsafeMutablePointer<UInt64>, OpaquePointer, UnsafePointer<CChar>, UnsafeRawPointer?, Int32
      ) -> natsStatus
  ) async throws(Fault) -> UInt64 {
    let (store, name) = (store, name)
    try check(key)
    return try await nats.call { (_) throws(Fault) in
      guard let length = Int32(exactly: bytes.count) else {
        throw .engine("nats-too-large", "\(bytes.count) bytes exceed the limit for \(key) of \(name)")
      }
      var revision: UInt64 = 0
      let status = bytes.withUnsafeBytes { call(&revision, store.pointer, key, $0.baseAddress, length) }
      try NatsFault.check(status, "write \(key) of \(name)")
      return revision
    }
  }

  /// Removes a value; the marker of the removal expires with age.
  package func remove(_ key: String) async throws(Fault) {
    let (store, name) = (store, name)
    try await nats.call { (_) throws(Fault) in
      try NatsFault.check(kvStore_Purge(store.pointer, key, nil), "remove \(key) of \(name)")
    }
  }

  /// Throws unless a key consists of words of letters, digits and `-/=_`, separated by points.
  private func check(_ key: String) throws(Fault) {
    let isKey = key.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy { byte in
          byte == 45 || byte == 47 || byte == 61 || byte == 95 || (48...57).contains(byte) || (65...90).contains(byte)
            || (97...122).contains(byte)
        }
    }
    guard isKey else { throw .request("nats-argument-invalid", "\(key) isn't a valid key of \(name)") }
  }

  /// Returns all keys.
  package func keys() async throws(Fault) -> [String] {
    let (store, name) = (store, name)
    return try await nats.call { (nats) throws(Fault) in
      var options = nats.watchOptions
      var list = kvKeysList()
      let status = kvStore_Keys(&list, store.pointer, &options)
      guard status != NATS_NOT_FOUND else { return [] }
      try NatsFault.check(status, "list the keys of \(name)")
      defer { kvKeysList_Destroy(&list) }
      return (0..<Int(list.Count)).compactMap { list.Keys[$0].map { String(cString: $0) } }
    }
  }

  /// Watches the values of keys that match `pattern`, as in `>`: first the existing ones, then `caughtUp`, then
  /// changes.
  package func watch(_ pattern: String = ">") async throws(Fault) -> KeyValueWatch {
    let (store, name) = (store, name)
    return try await nats.call { (nats) throws(Fault) in
      var options = nats.watchOptions
      var watcher: OpaquePointer?
      let status = kvStore_Watch(&watcher, store.pointer, pattern, &options)
      guard status == NATS_OK, let pointer = LibraryPointer(watcher) else {
        throw NatsFault.fault(status, "watch \(name)")
      }
      return KeyValueWatch(pointer, self)
    }
  }

  fileprivate func call<Value: Sendable>(
    _ body: @escaping @Sendable (NatsConnection) throws(Fault) -> Value
  ) async throws(Fault) -> Value { try await nats.call(body) }
}

/// Watch of the values of a bucket.
package final class KeyValueWatch: Sendable {
  /// Result of one wait.
  package enum Event: Hashable, Sendable {
    case entry(KeyValueEntry)
    /// All values that existed at the start have been reported.
    case caughtUp
    /// There was no event within the time.
    case nothing
  }

  private let watcher: LibraryPointer
  private let bucket: KeyValueBucket

  fileprivate init(_ watcher: LibraryPointer, _ bucket: KeyValueBucket) {
    (self.watcher, self.bucket) = (watcher, bucket)
  }

  deinit { kvWatcher_Destroy(watcher.pointer) }

  /// Waits for the next event.
  package func next(within time: Duration) async throws(Fault) -> Event {
    let end = ContinuousClock.now + time
    while true {
      let left = ContinuousClock.now.duration(to: end)
      let piece = min(left, .seconds(1))
      let event = try await bucket.call { [self] (_) throws(Fault) in try blockingNext(within: piece) }
      if event != .nothing || left <= piece || Task.isCancelled { return event }
    }
  }

  private func blockingNext(within time: Duration) throws(Fault) -> Event {
    var entry: OpaquePointer?
    let status = kvWatcher_Next(&entry, watcher.pointer, time.boundedMilliseconds)
    guard status != NATS_TIMEOUT else { return .nothing }
    try NatsFault.check(status, "watch \(bucket.name)")
    guard let entry else { return .caughtUp }
    defer { kvEntry_Destroy(entry) }
    let isThere = kvEntry_Operation(entry) == kvOp_Put
    let bytes = UnsafeRawBufferPointer(start: kvEntry_Value(entry), count: Int(max(0, kvEntry_ValueLen(entry))))
    return .entry(
      KeyValueEntry(
        key: String(cString: kvEntry_Key(entry)), bytes: isThere ? Array(bytes) : nil,
        revision: kvEntry_Revision(entry), timestamp: kvEntry_Created(entry) / 1_000_000))
  }
}

extension NatsConnection {
  fileprivate var watchOptions: kvWatchOptions {
    var options = kvWatchOptions()
    kvWatchOptions_Init(&options)
    options.Timeout = settings.timeout.boundedMilliseconds
    return options
  }
}
