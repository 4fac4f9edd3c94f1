import Testing

@testable import Service

@Suite struct TurnstileTests {
  @Test func letsSoManyThroughAtATimeAndNobodyGoesMissing() async throws {
    let turnstile = Turnstile(2)
    let crowd = Crowd()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await turnstile.pass {
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
    let turnstile = Turnstile(1)
    let refused = try await turnstile.pass { try await turnstile.passAtOnce { true } }
    #expect(refused == nil)
    #expect(try await turnstile.passAtOnce { true } == true)
  }

  @Test func hasRoomAgainAfterAFailure() async throws {
    let turnstile = Turnstile(1)
    await #expect(throws: CancellationError.self) { try await turnstile.pass { throw CancellationError() } }
    #expect(try await turnstile.passAtOnce { true } == true)
  }
}

/// Counts who is inside.
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
