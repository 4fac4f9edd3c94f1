import Engine
import Glibc
import Testing

@testable import WebKitRuntime

extension LiveWebKit {
  @Suite("WebKit's thread")
  struct ThreadTests {
    private final class Log: Sendable {
      @EngineActor var entries: [Int] = []
      @EngineActor func append(_ entry: Int) { entries.append(entry) }
    }

    @Test("is one and the same for a thousand hops, and nobody else's")
    func oneThread() async {
      let first = await EngineActor.run { Self.thread }
      for _ in 0..<1_000 {
        let thread = await EngineActor.run { Self.thread }
        guard thread == first else { return #expect(thread == first) }
      }
      #expect(Self.thread != first)
    }

    @Test("is the same after a sleep and after work elsewhere")
    @EngineActor func comesBack() async throws {
      let thread = Self.thread
      try await Task.sleep(for: .milliseconds(1))
      #expect(Self.thread == thread)
      let other = await Self.elsewhere()
      #expect(other != thread)
      #expect(Self.thread == thread)
      EngineActor.preconditionIsolated()
    }

    @Test("runs jobs in the order they were handed over")
    func order() async {
      let log = Log()
      let tasks = (0..<200).map { number in Task { @EngineActor in log.append(number) } }
      for task in tasks { await task.value }
      #expect(await log.entries == Array(0..<200))
    }

    @Test("isn't held by a task that waits")
    func waiting() async {
      let sleeper = Task { @EngineActor in try await Task.sleep(for: .seconds(60)) }
      #expect(await EngineActor.run { 1 } == 1)
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test("lets cancellation reach a task that sleeps on it")
    func cancellation() async {
      let clock = ContinuousClock()
      let began = clock.now
      let task = Task { @EngineActor in
        do { try await Task.sleep(for: .seconds(60)) } catch { EngineActor.preconditionIsolated() }
        return Task.isCancelled
      }
      task.cancel()
      #expect(await task.value)
      #expect(clock.now - began < .seconds(5))
    }

    @Test("runs assumeIsolated at once on it")
    @EngineActor func assumes() {
      let sum = [1, 2].reduce(0) { total, next in EngineActor.assumeIsolated { total + next } }
      #expect(sum == 3)
    }

    @Test("traps when another thread claims to be it")
    func traps() async {
      await #expect(processExitsWith: .failure) {
        EngineActor.assumeIsolated {}
      }
    }

    /// Name that the kernel uses for this thread.
    private static var thread: String {
      var name = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/thread-self", &name, name.count)
      return String(decoding: name[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @concurrent private static func elsewhere() async -> String { thread }
  }
}
