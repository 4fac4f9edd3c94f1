import Testing

@testable import Service

@Suite struct AsyncSemaphoreTests {
  @Test func letsSoManyThroughAtATimeAndNobodyGoesMissing() async throws {
    let semaphore = AsyncSemaphore(2)
    let crowd = Crowd()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await semaphore.pass {
            await crowd.enter()
            await Task.yield()
            await crowd.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await crowd.most == 2)
    #expect(await crowd.all == 50)
  }

  @Test func turnsAwayWhomThereIsNoRoomFor() async throws {
    let semaphore = AsyncSemaphore(1)
    let refused = try await semaphore.pass { try await semaphore.passAtOnce { true } }
    #expect(refused == nil)
    #expect(try await semaphore.passAtOnce { true } == true)
  }

  @Test func hasRoomAgainAfterAFailure() async throws {
    let semaphore = AsyncSemaphore(1)
    await #expect(throws: CancellationError.self) { try await semaphore.pass { throw CancellationError() } }
    #expect(try await semaphore.passAtOnce { true } == true)
  }
}

@Suite struct SemaphoreCancellingTests {
  /// Starts a task that holds the semaphore until told to leave, and one that waits meanwhile.
  private func waiting(
    _ semaphore: AsyncSemaphore
  ) async -> (inside: Task<Bool, any Error>, leave: AsyncStream<Void>.Continuation, waiter: Task<Bool, any Error>) {
    let (doors, leave) = AsyncStream.makeStream(of: Void.self)
    let (entries, entered) = AsyncStream.makeStream(of: Void.self)
    let inside = Task {
      try await semaphore.pass {
        entered.finish()
        for await _ in doors {}
        return true
      }
    }
    for await _ in entries {}
    let waiter = Task { try await semaphore.pass { true } }
    while semaphore.length == 0 { await Task.yield() }
    return (inside, leave, waiter)
  }

  @Test func whoIsCancelledLeavesTheQueueAtOnce() async throws {
    let semaphore = AsyncSemaphore(1)
    let (inside, leave, waiter) = await waiting(semaphore)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(semaphore.length == 0)
    leave.finish()
    #expect(try await inside.value)
    #expect(try await semaphore.passAtOnce { true } == true)
  }

  @Test func whoWaitsStillComesInAfterwards() async throws {
    let semaphore = AsyncSemaphore(1)
    let (inside, leave, waiter) = await waiting(semaphore)
    let second = Task { try await semaphore.pass { true } }
    while semaphore.length < 2 { await Task.yield() }
    waiter.cancel()
    leave.finish()
    #expect(try await inside.value)
    #expect(try await second.value)
    #expect(try await semaphore.passAtOnce { true } == true)
  }

  @Test func whoWasCancelledBeforeDoesntEvenWait() async throws {
    let semaphore = AsyncSemaphore(1)
    let (inside, leave, waiter) = await waiting(semaphore)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await semaphore.pass { true }
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    leave.finish()
    #expect(try await inside.value)
    #expect(try await waiter.value)
  }
}

/// Counter of the tasks inside.
private actor Crowd {
  private var inside = 0
  private(set) var most = 0
  private(set) var all = 0

  func enter() {
    inside += 1
    all += 1
    most = max(most, inside)
  }

  func leave() { inside -= 1 }
}
