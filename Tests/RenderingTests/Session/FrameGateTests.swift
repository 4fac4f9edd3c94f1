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
    var thread = pthread_t()
    let made = pthread_create(
      &thread, nil,
      { value in
        guard let value, let symbol = dlsym(nil, "prctl") else { return nil }
        let life = Unmanaged<Life>.fromOpaque(value).takeUnretainedValue()
        let prctl = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafePointer<CChar>) -> Int32).self)
        _ = prctl(15, "VBlankMonitor")
        life.wasLink.withLock { $0 = FrameGate.ownsThisThread }
        pthread_setspecific(life.key.withLock { $0 }, value)
        return nil
      }, Unmanaged.passUnretained(life).toOpaque())
    try #require(made == 0)
    pthread_join(thread, nil)
    pthread_key_delete(life.key.withLock { $0 })
    #expect(life.wasLink.withLock { $0 })
    #expect(life.stillWas.withLock { $0 }.last == false)
    #expect(life.stillWas.withLock { $0.count } == 2)
  }
}
