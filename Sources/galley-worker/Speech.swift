internal import Jobs

/// What a worker says of one job, in order, held back until all of the job before is said.
struct Speech: Sendable {
  private let words: AsyncStream<WorkerMessage>.Continuation
  private let speaking: Task<Void, Never>

  init(after before: Task<Void, Never>?) {
    let (stream, words) = AsyncStream<WorkerMessage>.makeStream()
    self.words = words
    speaking = Task {
      await before?.value
      for await message in stream { WorkerLoop.say(message) }
    }
  }

  func say(_ message: WorkerMessage) { words.yield(message) }

  /// Returns when all is said.
  func end() async {
    words.finish()
    await speaking.value
  }
}
