package import RenderModel

/// Renders jobs, in worker processes of this machine or by a queue's workers elsewhere.
package protocol RenderPool: Actor {
  /// Events of the jobs; the stream ends when `run` returns.
  nonisolated var events: AsyncStream<PoolEvent> { get }

  /// Adds jobs while the pool runs or before; their ids are never used twice.
  func submit(_ jobs: [RenderJob]) async

  /// Ends the submission of jobs: `run` returns after the last one.
  func close() async

  /// Renders the submitted jobs until the pool is closed; cancelling the task ends everything at once.
  func run() async
}

extension RenderPool {
  /// Renders the jobs and no others; returns as `run()` does.
  package func run(_ jobs: [RenderJob]) async {
    await submit(jobs)
    await close()
    await run()
  }
}

extension PoolSettings {
  /// Makes the pool that renders with these settings.
  package func pool() -> any RenderPool { sender.map { ClusterPool($0) } ?? WorkerPool(self) }
}
