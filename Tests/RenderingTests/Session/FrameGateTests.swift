import Foundation
import Synchronization
import Testing

@testable import WebKitRuntime

@Suite("The frame gate")
struct FrameGateTests {
  /// What a thread named like a display link was found to be, while it lived and when it came to its end.
  private final class Life: Sendable {
    let wasLink = Mutex(false)
    /// In each of the rounds in which the C library has what belongs to a thread cleared away.
    let stillWas = Mutex<[Bool]>([])
    let key = Mutex(pthread_key_t())
  }

  /// What a thread does.
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread with the name that the engine gives to a display link's.
  private static func displayLink(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
    var thread = pthread_t()
    let made = pthread_create(
      &thread, nil,
      { value in
        guard let value, let symbol = dlsym(nil, "prctl") else { return nil }
        let prctl = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafePointer<CChar>) -> Int32).self)
        _ = prctl(15, "VBlankMonitor")
        Unmanaged<Body>.fromOpaque(value).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    try #require(made == 0)
    return thread
  }

  /// The engine ends its threads in the second round, and waits for its locks there as it does elsewhere.
  @Test("lets go of a display link before the engine ends its thread")
  func ended() throws {
    let life = Life()
    #expect(
      life.key.withLock { key in
        pthread_key_create(&key) { value in
          guard let value else { return }
          let life = Unmanaged<Life>.fromOpaque(value).takeUnretainedValue()
          let rounds = life.stillWas.withLock { rounds in
            rounds.append(FrameGate.ownsThisThread)
            return rounds.count
          }
          if rounds == 1 { pthread_setspecific(life.key.withLock { $0 }, value) }
        }
      } == 0)
    let thread = try Self.displayLink {
      life.wasLink.withLock { $0 = FrameGate.ownsThisThread }
      pthread_setspecific(life.key.withLock { $0 }, Unmanaged.passUnretained(life).toOpaque())
    }
    pthread_join(thread, nil)
    pthread_key_delete(life.key.withLock { $0 })
    #expect(life.wasLink.withLock { $0 })
    #expect(life.stillWas.withLock { $0 }.last == false)
    #expect(life.stillWas.withLock { $0.count } == 2)
  }

  /// Where a display link sleeps while nobody wants frames.
  private final class ParkingPlace: @unchecked Sendable {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    let isClosed = Atomic(false)
    let hasLeft = Atomic(false)

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }
  }

  /// The engine wakes them without their lock, so at times while they are about to sleep again. Whether one turn does
  /// is chance, some one in a hundred thousand.
  @Test("takes no display link that sleeps for one that runs")
  func wokenOnItsWay() throws {
    let place = ParkingPlace()
    let thread = try Self.displayLink {
      pthread_mutex_lock(place.mutex)
      while !place.isClosed.load(ordering: .relaxed) { pthread_cond_wait(place.condition, place.mutex) }
      pthread_mutex_unlock(place.mutex)
      place.hasLeft.store(true, ordering: .relaxed)
    }

    var longest = Duration.zero
    for turn in 0..<30_000 where longest < .seconds(4) {
      for _ in 0..<3 {
        pthread_cond_signal(place.condition)
        for _ in 0..<(turn * 37 % 1_000) { _ = place.hasLeft.load(ordering: .relaxed) }
      }
      longest = max(longest, ContinuousClock().measure { _ = FrameGate.isWanted })
    }
    // One that is taken to run is waited for until the gate gives up on it, for six seconds and more.
    #expect(longest < .seconds(4))

    place.isClosed.store(true, ordering: .relaxed)
    while !place.hasLeft.load(ordering: .relaxed) { pthread_cond_signal(place.condition) }
    pthread_join(thread, nil)
  }
}
