package import Core
internal import Synchronization

/// Locks for tasks that only one of many machines may do at a time; locks of a machine that dies expire after some
/// seconds.
package final class ClusterLocks: Sendable {
  /// Time after which a lock expires without renewal.
  static let age = Duration.seconds(15)
  private static let renewal = Duration.seconds(4)
  private let bucket: KeyValueBucket
  /// Name of this machine, stored in the locks that it holds.
  private let holder: String

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int, holder: String) async throws(Fault) {
    var settings = BucketSettings(names.locks)
    (settings.age, settings.replicas) = (Self.age, replicas)
    bucket = try await KeyValueBucket.open(settings, on: nats)
    self.holder = holder
  }

  /// Takes a lock that is free; nil if it is held.
  package func take(_ name: String) async throws(Fault) -> ClusterLock? {
    do throws(Fault) {
      return ClusterLock(bucket, name, Array(holder.utf8), try await bucket.create(name, Array(holder.utf8)))
    } catch let error where error.has(.natsRevisionDiffers) {
      return nil
    }
  }

  /// Runs `body` while holding the lock; waits up to a minute for it, and then throws `queue-busy`.
  package func with<Value: Sendable>(
    _ name: String, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let end = ContinuousClock.now + .seconds(60)
    var pause = 10
    while true {
      if let lock = try await take(name) {
        let renewing = Task { await Self.renew(lock) }
        defer { renewing.cancel() }
        do {
          let value = try await body()
          await lock.release()
          return value
        } catch {
          await lock.release()
          throw error
        }
      }
      guard ContinuousClock.now < end else {
        throw Fault.engine("queue-busy", "another server has locked \(name) for a minute")
      }
      try await Task.sleep(for: .milliseconds(pause))
      pause = min(500, pause * 2)
    }
  }

  private static func renew(_ lock: ClusterLock) async {
    while (try? await Task.sleep(for: renewal)) != nil { _ = await lock.renew() }
  }
}

/// Lock that this machine holds as long as it renews it.
package final class ClusterLock: Sendable {
  private let bucket: KeyValueBucket
  private let name: String
  private let bytes: [UInt8]
  private let revision: Mutex<(UInt64, ContinuousClock.Instant)>

  init(_ bucket: KeyValueBucket, _ name: String, _ bytes: [UInt8], _ revision: UInt64) {
    (self.bucket, self.name, self.bytes) = (bucket, name, bytes)
    self.revision = Mutex((revision, .now))
  }

  /// Renews the lock; returns false if another machine may hold it by now.
  package func renew() async -> Bool {
    let (known, since) = revision.withLock { $0 }
    do throws(Fault) {
      let next = try await bucket.update(name, bytes, revision: known)
      revision.withLock { $0 = (next, .now) }
      return true
    } catch let error where error.isPassingNatsFault {
      // Nobody can have taken it before it is too old.
      return since.duration(to: .now) < ClusterLocks.age / 2
    } catch {
      return false
    }
  }

  /// Releases the lock at once.
  package func release() async { try? await bucket.remove(name) }
}
