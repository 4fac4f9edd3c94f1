import RenderModel
import Testing

@testable import Workers

/// Behaviour of a pool that serves for months.
@Suite struct ServingPoolTests {
  private func started(_ effects: [PoolEffect]) -> [Int] {
    effects.compactMap { if case .start(let worker, _) = $0 { worker } else { nil } }
  }

  private func sent(_ effects: [PoolEffect]) -> [[Int]] {
    effects.compactMap { if case .send(let job, let worker, _) = $0 { [job.id, worker] } else { nil } }
  }

  /// Creates a core with one worker up and these jobs submitted.
  private func core(jobs: Int, recycleAbove: Int? = nil) -> PoolCore {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 1, recycleAbove: recycleAbove))
    _ = core.handle(.submit((0..<jobs).map { .fake($0, "job-\($0)") }))
    _ = core.handle(.received(.ready, worker: 1))
    return core
  }

  @Test func startsWorkersAheadOfJobsAndReplacesThem() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 3, warm: 2))
    #expect(started(core.handle(.submit([]))) == [1, 2])
    _ = core.handle(.received(.ready, worker: 1))
    #expect(started(core.handle(.exited(WorkerExit(.signal(9)), worker: 1))) == [3])
    _ = core.handle(.end)
    #expect(started(core.handle(.exited(WorkerExit(.signal(9)), worker: 3))) == [])
  }

  @Test func startsNoMoreAheadOnceTheyFailUntilOneIsReady() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 1, warm: 1))
    var worker = 1
    _ = core.handle(.submit([]))
    for _ in 0...PoolCore.startsForgiven {
      let next = started(core.handle(.exited(WorkerExit(.status(3)), worker: worker)))
      worker = next.first ?? 0
    }
    #expect(worker == 0)
    #expect(started(core.handle(.submit([.fake(0, "job")]))) == [4])
    _ = core.handle(.received(.ready, worker: 4))
    #expect(started(core.handle(.exited(WorkerExit(.signal(9)), worker: 4))) == [5])
  }

  @Test func forgetsAJobThatWaits() {
    var core = core(jobs: 3)
    #expect(core.handle(.cancel(2)) == [])
    #expect(sent(core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))) == [])
    #expect(core.metrics.queued == 0)
  }

  @Test func endsTheWorkerOfAJobThatRunsAndGoesOnWithTheNext() {
    var core = core(jobs: 2)
    #expect(core.handle(.cancel(0)).contains(.kill(worker: 1)))
    let effects = core.handle(.exited(WorkerExit(.signal(9)), worker: 1))
    #expect(started(effects) == [2])
    #expect(!effects.contains { if case .publish = $0 { true } else { false } })
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[1, 2]])
    #expect(core.metrics.lost == 0)
  }

  @Test func dropsAJobThatAWorkerHoldsWhenItsTurnComes() {
    var core = core(jobs: 2)
    #expect(core.handle(.cancel(1)) == [])
    let effects = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(effects.contains(.kill(worker: 1)))
    #expect(
      !core.handle(.received(.finished(job: 1, record: .fake()), worker: 1)).contains {
        if case .publish = $0 { true } else { false }
      })
  }

  @Test func cancellingTwiceOrTooLateDoesNothing() {
    var core = core(jobs: 1)
    _ = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(core.handle(.cancel(0)) == [])
    #expect(core.handle(.cancel(7)) == [])
  }

  @Test func replacesAWorkerThatHasGrown() {
    var core = core(jobs: 1, recycleAbove: 500)
    _ = core.handle(.memorySampled(worker: 1, mebibytes: 500))
    #expect(!core.handle(.received(.finished(job: 0, record: .fake()), worker: 1)).contains(.dismiss(worker: 1)))
    _ = core.handle(.submit([.fake(1, "job-1")]))
    _ = core.handle(.memorySampled(worker: 1, mebibytes: 501))
    #expect(core.handle(.received(.finished(job: 1, record: .fake()), worker: 1)).contains(.dismiss(worker: 1)))
    #expect(core.metrics.recycled == 1)
  }

  @Test func countsItsWorkers() {
    var core = core(jobs: 3)
    #expect(core.metrics.busy == 1 && core.metrics.queued == 2 && core.metrics.started == 1)
    _ = core.handle(.exited(WorkerExit(.signal(9)), worker: 1))
    #expect(core.metrics.lost == 1 && core.metrics.starting == 1)
  }
}
