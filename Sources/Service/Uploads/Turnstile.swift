/// Lets so many through at a time, in the order in which they came: for what takes much memory.
actor Turnstile {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ width: Int) { free = max(1, width) }

  /// Does something when it is its turn.
  nonisolated func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    await enter()
    return try await inside(body)
  }

  /// The same if nobody has to wait for it; nil when somebody would.
  nonisolated func passAtOnce<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value? {
    guard await enterAtOnce() else { return nil }
    return try await inside(body)
  }

  private nonisolated func inside<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await body()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    guard !enterAtOnce() else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func enterAtOnce() -> Bool {
    guard free > 0 else { return false }
    free -= 1
    return true
  }

  private func leave() {
    guard !waiting.isEmpty else {
      free += 1
      return
    }
    waiting.removeFirst().resume()
  }
}
