import Engine
import Glibc
import Synchronization
import Testing

@testable import WebKitRuntime

@Suite("The engine's threads", .engine)
struct EngineThreadTests {
  /// Engine thread that carries messages.
  private final class Messenger: Sendable {
    let looks = Atomic(0)
    let isOver = Atomic(false)

    /// Polls repeatedly for a message, without waiting for it.
    func look() {
      while !isOver.load(ordering: .relaxed) {
        poll(nil, 0, 0)
        looks.add(1, ordering: .relaxed)
      }
    }
  }

  /// Polls in a thread that the machine may interrupt just before it sends a message.
  @Test("don't rest while they look whether something has come")
  @EngineActor func looking() throws {
    let messenger = Messenger()
    let thread = try NamedThread.start("ReceiveQueue") { messenger.look() }
    while messenger.looks.load(ordering: .relaxed) == 0 {}
    var rested = 0
    for _ in 0..<20_000 where EngineActivity.rests { rested += 1 }
    messenger.isOver.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
    #expect(rested == 0)
  }

  /// Lets a script run for longer than the second it is waited for, without looks in between, so that the wait goes on.
  @Test("are only waited for while somebody looks")
  @EngineActor func computing() throws {
    let messenger = Messenger()
    let thread = try NamedThread.start("WebCore: Worker") {
      poll(nil, 0, 1)
      while !messenger.isOver.load(ordering: .relaxed) { messenger.looks.store(1, ordering: .relaxed) }
    }
    while messenger.looks.load(ordering: .relaxed) == 0 {}
    #expect(!EngineActivity.rests)
    let end = ContinuousClock.now + .milliseconds(1_200)
    while ContinuousClock.now < end {}
    #expect(!EngineActivity.rests)
    messenger.isOver.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }
}
