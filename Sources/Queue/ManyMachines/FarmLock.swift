package import Core
internal import JetStream
internal import Synchronization

/// Things that one machine of many does at a time; a machine that dies leaves them to others after some seconds.
package final class FarmLocks: Sendable {
  /// How long a lock outlives who holds it.
  static let age = Duration.seconds(15)
  private static let renewal = Duration.seconds(4)
  private let bucket: KeyValueBucket
  /// Who this machine is.
  private let holder: String

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int, holder: String) async throws(Fault) {
    var settings = BucketSettings(names.locks)
    (settings.age, settings.replicas) = (Self.age, replicas)
    bucket = try await KeyValueBucket.open(settings, on: nats)
    self.holder = holder
  }

  /// Takes a lock that nobody holds; nil when somebody does.
  package func take(_ name: String) async throws(Fault) -> FarmLock? {
    do throws(Fault) {
      return FarmLock(bucket, name, Array(holder.utf8), try await bucket.create(name, Array(holder.utf8)))
    } catch where error.code == "nats-revision-differs" {
      return nil
    }
  }

  /// Does something while nobody else holds the lock; waits for it as long as its holders live, a minute at most.
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
        throw Fault.engine("queue-busy", "another server has been at \(name) for a minute")
      }
      try await Task.sleep(for: .milliseconds(pause))
      pause = min(500, pause * 2)
    }
  }

  private static func renew(_ lock: FarmLock) async {
    while (try? await Task.sleep(for: renewal)) != nil { _ = await lock.renew() }
  }
}

/// A lock that this machine holds, as long as it says so now and then.
package final class FarmLock: Sendable {
  private let bucket: KeyValueBucket
  private let name: String
  private let bytes: [UInt8]
  private let revision: Mutex<(UInt64, ContinuousClock.Instant)>

  init(_ bucket: KeyValueBucket, _ name: String, _ bytes: [UInt8], _ revision: UInt64) {
    (self.bucket, self.name, self.bytes) = (bucket, name, bytes)
    self.revision = Mutex((revision, .now))
  }

  /// Says that it is still held; false when it may be somebody else's by now.
  package func renew() async -> Bool {
    let (known, since) = revision.withLock { $0 }
    do throws(Fault) {
      let next = try await bucket.update(name, bytes, revision: known)
      revision.withLock { $0 = (next, .now) }
      return true
    } catch where error.isPassingNatsFault {
      // Nobody can have taken it before it is too old.
      return since.duration(to: .now) < FarmLocks.age / 2
    } catch {
      return false
    }
  }

  /// Leaves it to others at once.
  package func release() async { try? await bucket.remove(name) }
}
