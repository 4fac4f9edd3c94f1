import AdManager
import Synchronization
import Testing

/// Actor on which the promises of these tests live.
@globalActor private actor Home {
  static let shared = Home()
}

@Suite(.timeLimit(.minutes(1))) struct PromiseConcurrencyTests {
  @Test @Home func `a promise of asynchronous work brings what it returns or throws`() async throws {
    let kept = Promise<Int> { try await Self.elsewhere(3) }
    #expect(kept.isPending)
    #expect(try await kept.value() == 3)
    let broken = Promise<Int> { try await Self.elsewhere(-1) }
    await #expect(throws: Mishap.self) { try await broken.value() }
  }

  @Test @Home func `cancelling a promise cancels its task`() async {
    let (began, begin) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Bool>.makeStream()
    let promise = Promise<Int> {
      begin.yield()
      let forever = AsyncStream<Int> { _ in }
      for await _ in forever {}
      end.yield(Task.isCancelled)
      return 0
    }
    for await _ in began { break }
    promise.cancel()
    for await wasCancelled in ended {
      #expect(wasCancelled)
      break
    }
    #expect(throws: PromiseCancelled.self) { try promise.result?.get() }
  }

  @Test @Home func `a task that is cancelled stops waiting, and gives up what nobody else wants`() async {
    let (promise, resolver) = Promise<Int>.pending()
    let (wanted, _) = Promise<Int>.pending()
    let other = wanted.map { $0 }
    var isStopped = false
    resolver.onCancel { isStopped = true }
    let waits = [promise, wanted].map { promise in Task { @Home in try await promise.value() } }
    await Task.yield()
    for wait in waits {
      wait.cancel()
      await #expect(throws: CancellationError.self) { try await wait.value }
    }
    #expect(isStopped)
    #expect(wanted.isPending && other.isPending)
  }

  /// Awaits every promise in several tasks, some of them cancelled from other threads while the promise is settled.
  ///
  /// Each promise is settled from another thread still, observed before, meanwhile and after, and passed through a
  /// chain and `all`.
  @Test @Home func `no delivery is lost or doubled however threads meet`() async throws {
    for round in 0..<40 {
      let count = 50
      let gate = Gate()
      let promises = (0..<count).map { index in
        Promise<Int> { try await Self.contended(index, gate) }
      }
      var deliveries = [Int](repeating: 0, count: count)
      for (index, promise) in promises.enumerated() { promise.observe { _ in deliveries[index] += 1 } }
      let awaiting = promises.flatMap { promise in
        (0..<4).map { _ in Task { @Home in try await promise.value() } }
      }
      let late = promises.enumerated().map { index, promise in
        Task { @Home in _ = promise.observe { _ in deliveries[index] += 1 } }
      }
      let cancelling = Task.detached {
        for (index, task) in awaiting.enumerated() where index % 4 == 1 + round % 3 { task.cancel() }
      }
      let sum = promises.map { promise in promise.catch { _ in -1 }.map { $0 + 1 } }
      let all = Promise.all(sum)
      await gate.open()
      var answers = 0
      for (index, task) in awaiting.enumerated() {
        switch await task.result {
        case .success(let value): #expect(value == index / 4)
        case .failure(let error): #expect(error is CancellationError || error as? Mishap == Mishap())
        }
        answers += 1
      }
      await cancelling.value
      for task in late { _ = await task.value }
      #expect(answers == count * 4)
      #expect(try await all.value() == (0..<count).map { $0 % 7 == 3 ? 0 : $0 + 1 })
      #expect(deliveries.allSatisfy { $0 == 2 })
    }
  }

  /// Returns a number from another thread, or throws a mishap for a negative one.
  @concurrent private static func elsewhere(_ value: Int) async throws -> Int {
    if value < 0 { throw Mishap() }
    return value
  }

  /// Does the same as `elsewhere`, with all calls released at the same time and every seventh failing.
  @concurrent private static func contended(_ value: Int, _ gate: Gate) async throws -> Int {
    await gate.pass()
    return try await elsewhere(value % 7 == 3 ? -1 : value)
  }
}

/// Holds tasks until it is opened.
private actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    guard !isOpen else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
