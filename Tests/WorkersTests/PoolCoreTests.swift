import Core
import RenderModel
import Testing

@testable import Workers

@Suite struct PoolCoreTests {
  /// A core with `jobs` submitted and, unless `ready` is empty, these workers up.
  private func core(jobs: Int, capacity: Int = 1, recycleAfter: Int = 100, ready: [Int] = [1]) -> PoolCore {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: capacity, recycleAfter: recycleAfter))
    _ = core.handle(.submit((0..<jobs).map { .fake($0, "job-\($0)") }))
    _ = core.handle(.end)
    for worker in ready { _ = core.handle(.received(.ready, worker: worker)) }
    return core
  }

  private func sent(_ effects: [PoolEffect]) -> [[Int]] {
    effects.compactMap { if case .send(let job, let worker, _) = $0 { [job.id, worker] } else { nil } }
  }

  private func finished(_ effects: [PoolEffect]) -> [RenderRecord] {
    effects.compactMap { if case .publish(.finished(_, let record)) = $0 { record } else { nil } }
  }

  @Test(arguments: [(1, 4, 1), (3, 2, 2), (9, 4, 4), (0, 4, 0)])
  func startsNoMoreWorkersThanJobsOrCapacity(jobs: Int, capacity: Int, expected: Int) {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: capacity))
    let effects = core.handle(.submit((0..<jobs).map { .fake($0, "job") }))
    #expect(effects.count { if case .start = $0 { true } else { false } } == expected)
  }

  @Test func isDoneAtOnceWithoutJobs() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 2))
    #expect(core.handle(.submit([])) == [])
    #expect(core.handle(.end) == [.done])
  }

  @Test func sendsJobsInOrderWithOneAhead() {
    var core = core(jobs: 3, ready: [])
    #expect(sent(core.handle(.received(.ready, worker: 1))) == [[0, 1], [1, 1]])
    #expect(sent(core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))) == [[2, 1]])
    #expect(sent(core.handle(.received(.finished(job: 1, record: .fake()), worker: 1))) == [])
  }

  @Test func keepsTheLastJobsForWhoeverIsFreeFirst() {
    var core = core(jobs: 4, capacity: 2, ready: [])
    #expect(sent(core.handle(.received(.ready, worker: 1))) == [[0, 1], [1, 1]])
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[2, 2]])
    #expect(sent(core.handle(.received(.finished(job: 2, record: .fake()), worker: 2))) == [[3, 2]])
  }

  @Test func keepsIdleWorkersForJobsToComeUntilItIsEnded() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 1))
    _ = core.handle(.submit([.fake(0, "job-0")]))
    #expect(sent(core.handle(.received(.ready, worker: 1))) == [[0, 1]])
    let idle = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(!idle.contains(.dismiss(worker: 1)))
    #expect(sent(core.handle(.submit([.fake(7, "job-7")]))) == [[7, 1]])
    #expect(!core.handle(.received(.finished(job: 7, record: .fake()), worker: 1)).contains(.dismiss(worker: 1)))
    #expect(core.handle(.end).contains(.dismiss(worker: 1)))
    #expect(core.handle(.submit([.fake(8, "job-8")])) == [])
    #expect(core.handle(.exited(WorkerExit(.status(0)), worker: 1)).contains(.done))
  }

  @Test func startsAnotherWorkerForANewJobWhenTheIdleOneIsGone() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 1))
    _ = core.handle(.submit([.fake(0, "job-0")]))
    _ = core.handle(.received(.ready, worker: 1))
    _ = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(
      core.handle(.exited(WorkerExit(.signal(9)), worker: 1)).count { if case .start = $0 { true } else { false } } == 0
    )
    #expect(core.handle(.submit([.fake(1, "job-1")])).contains(.start(worker: 2)))
  }

  @Test func dismissesWorkersOnceNothingIsLeftAndEndsAfterTheLast() {
    var core = core(jobs: 1)
    let effects = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(effects.contains(.dismiss(worker: 1)))
    #expect(!effects.contains(.done))
    #expect(core.handle(.exited(WorkerExit(.status(0)), worker: 1)).contains(.done))
  }

  @Test func killsADismissedWorkerThatStays() throws {
    var core = core(jobs: 1)
    let effects = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    let serial = try #require(effects.compactMap { if case .watch(1, let serial, 2) = $0 { serial } else { nil } }.last)
    #expect(core.handle(.expired(worker: 1, serial: serial)) == [.kill(worker: 1)])
  }

  @Test func triesAJobSixTimesWhenItsWorkersDie() {
    var core = core(jobs: 1)
    for worker in 1...5 {
      let effects = core.handle(.exited(WorkerExit(.signal(9)), worker: worker))
      #expect(
        effects.contains(.publish(.retrying(job: 0, lost: .worker, reason: "the worker was terminated by SIGKILL"))))
      #expect(effects.contains(.start(worker: worker + 1)))
      _ = core.handle(.received(.ready, worker: worker + 1))
    }
    let effects = core.handle(.exited(WorkerExit(.signal(11), errorTail: "oops"), worker: 6))
    let fault = Fault.engine("worker-died", "the worker was terminated by SIGSEGV; last output: oops")
    #expect(effects.contains(.giveUp(.fake(0, "job-0"), fault, attempts: 6)))
    #expect(effects.last == .done)
  }

  @Test func startsAnewWhenSomebodyKillsWorkersBeforeTheyAreReady() {
    var core = core(jobs: 1, ready: [])
    for worker in 1...5 {
      #expect(core.handle(.exited(WorkerExit(.signal(9)), worker: worker)).contains(.start(worker: worker + 1)))
    }
    #expect(core.handle(.exited(WorkerExit(.signal(9)), worker: 6)).last == .done)
  }

  @Test func handsBackTheReserveOfADeadWorkerUncounted() {
    var core = core(jobs: 2)
    _ = core.handle(.exited(WorkerExit(.signal(9)), worker: 1))
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[0, 2], [1, 2]])
    _ = core.handle(.received(.finished(job: 0, record: .fake()), worker: 2))
    let records = finished(core.handle(.received(.finished(job: 1, record: .fake()), worker: 2)))
    #expect(records.map(\.attempts) == [1])
  }

  @Test func countsAttemptsInTheRecord() {
    var core = core(jobs: 1)
    _ = core.handle(.exited(WorkerExit(.signal(9)), worker: 1))
    _ = core.handle(.received(.ready, worker: 2))
    #expect(finished(core.handle(.received(.finished(job: 0, record: .fake()), worker: 2))).map(\.attempts) == [2])
  }

  @Test func forgivesFiveCrashesOfTheWebProcess() {
    var core = core(jobs: 1)
    let crash = RenderRecord.fake(.crashed, failure: .creative("web-process-crashed", "gone"))
    for _ in 1...5 {
      let effects = core.handle(.received(.finished(job: 0, record: crash), worker: 1))
      #expect(effects.contains(.publish(.retrying(job: 0, lost: .webProcess, reason: "gone"))))
      #expect(sent(effects) == [[0, 1]])
    }
    let records = finished(core.handle(.received(.finished(job: 0, record: crash), worker: 1)))
    #expect(records.map(\.attempts) == [6])
    #expect(records.map(\.code) == ["web-process-crashed"])
  }

  @Test func timesAJobFromItsFirstWord() throws {
    var core = core(jobs: 1)
    let effects = core.handle(.received(.progress(job: 0, phase: "open"), worker: 1))
    let serial = try #require(
      effects.compactMap { if case .watch(1, let serial, 35) = $0 { serial } else { nil } }.first)
    #expect(core.handle(.received(.progress(job: 0, phase: "load"), worker: 1)).count == 1)
    #expect(core.handle(.expired(worker: 1, serial: serial - 1)) == [])
    #expect(core.handle(.expired(worker: 1, serial: serial)) == [.kill(worker: 1)])
    let end = core.handle(.exited(WorkerExit(.signal(9)), worker: 1))
    let fault = Fault.deadline("deadline-exceeded", "not finished after 30 s and 5 s of grace")
    #expect(end.contains(.giveUp(.fake(0, "job-0"), fault, attempts: 1)))
  }

  @Test func acceptsARecordThatArrivesWhileItsWorkerIsKilled() throws {
    var core = core(jobs: 1)
    let effects = core.handle(.received(.progress(job: 0, phase: "open"), worker: 1))
    let serial = try #require(
      effects.compactMap { if case .watch(1, let serial, _) = $0 { serial } else { nil } }.first)
    _ = core.handle(.expired(worker: 1, serial: serial))
    #expect(finished(core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))).count == 1)
    #expect(core.handle(.exited(WorkerExit(.signal(9)), worker: 1)).last == .done)
  }

  @Test func replacesAWorkerAfterItsShare() {
    var core = core(jobs: 4, recycleAfter: 2)
    let first = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(sent(first) == [])
    let second = core.handle(.received(.finished(job: 1, record: .fake()), worker: 1))
    #expect(second.contains(.dismiss(worker: 1)))
    #expect(second.contains(.start(worker: 2)))
  }

  @Test func givesUpEverythingWhenNoWorkerEverGetsReady() {
    var core = core(jobs: 2, ready: [])
    let exit = WorkerExit(.status(7), errorTail: "no display")
    #expect(core.handle(.exited(exit, worker: 1)).contains(.start(worker: 2)))
    #expect(core.handle(.exited(exit, worker: 2)).contains(.start(worker: 3)))
    let effects = core.handle(.exited(exit, worker: 3))
    let fault = Fault.engine("worker-start-failed", "the worker exited with status 7; last output: no display")
    #expect(effects.contains(.giveUp(.fake(0, "job-0"), fault, attempts: 0)))
    #expect(effects.contains(.giveUp(.fake(1, "job-1"), fault, attempts: 0)))
    #expect(effects.last == .done)
  }

  @Test func dropsWordsAboutJobsAWorkerHasNot() {
    var core = core(jobs: 2)
    #expect(core.handle(.received(.finished(job: 1, record: .fake()), worker: 1)) == [])
    #expect(core.handle(.received(.progress(job: 7, phase: "load"), worker: 1)) == [])
    #expect(core.handle(.received(.ready, worker: 9)) == [])
  }

  /// Jobs with these clocks, numbered from 0.
  private func jobs(_ clocks: [RenderOptions.Clock]) -> [RenderJob] {
    clocks.enumerated().map { index, clock in
      var job = RenderJob.fake(index, "job-\(index)")
      job.options.clock = clock
      return job
    }
  }

  @Test func startsAWorkerOfTheJobsClock() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 2))
    let effects = core.handle(.submit(jobs([.virtual, .real])))
    #expect(effects.contains(.start(worker: 1, clock: .virtual)))
    #expect(effects.contains(.start(worker: 2, clock: .real)))
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[1, 2]])
    #expect(sent(core.handle(.received(.ready, worker: 1))) == [[0, 1]])
  }

  @Test func rendersNoJobWhereAnotherClockWentBefore() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 1))
    _ = core.handle(.submit(jobs([.virtual, .real])))
    #expect(sent(core.handle(.received(.ready, worker: 1))) == [[0, 1]])
    let effects = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(sent(effects) == [])
    #expect(effects.contains(.dismiss(worker: 1)))
    #expect(effects.contains(.start(worker: 2, clock: .real)))
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[1, 2]])
  }

  @Test func letsNoJobWaitBehindLaterOnesOfAnotherClock() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 1))
    _ = core.handle(.submit(jobs([.real, .virtual, .real, .real])))
    #expect(sent(core.handle(.received(.ready, worker: 1))) == [[0, 1]])
    let effects = core.handle(.received(.finished(job: 0, record: .fake()), worker: 1))
    #expect(sent(effects) == [])
    #expect(effects.contains(.start(worker: 2, clock: .virtual)))
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[1, 2]])
  }

  @Test func keepsReadyWorkersInSteppedTime() {
    var core = PoolCore(PoolSettings(executable: "/worker", capacity: 2, warm: 2))
    let effects = core.handle(.submit(jobs([.real])))
    #expect(effects.contains(.start(worker: 1, clock: .real)))
    #expect(effects.contains(.start(worker: 2, clock: .virtual)))
  }

  @Test func replacesAWorkerThatACreativeFilledAndSparesItsReserve() {
    var core = core(jobs: 2)
    let full = RenderRecord.fake(.failed, failure: .creative(RenderRecord.memoryCode, "too much"))
    let effects = core.handle(.received(.finished(job: 0, record: full), worker: 1))
    #expect(finished(effects).map(\.code) == [RenderRecord.memoryCode])
    #expect(effects.contains(.kill(worker: 1)))
    #expect(core.handle(.exited(WorkerExit(.signal(9)), worker: 1)).contains(.start(worker: 2)))
    #expect(sent(core.handle(.received(.ready, worker: 2))) == [[1, 2]])
    let end = core.handle(.received(.finished(job: 1, record: .fake()), worker: 2))
    #expect(finished(end).map(\.attempts) == [1])
  }

  @Test func endsAJobThatNoWorkerCanBeTold() {
    var core = core(jobs: 2)
    let effects = core.handle(.unsendable(0, worker: 1, reason: "nan"))
    let fault = Fault.engine("job-unsendable", "can't send the job to a worker: nan")
    #expect(effects.contains(.giveUp(.fake(0, "job-0"), fault, attempts: 1)))
    let rest = core.handle(.received(.finished(job: 1, record: .fake()), worker: 1))
    #expect(finished(rest).map(\.attempts) == [1])
    #expect(core.handle(.exited(WorkerExit(.status(0)), worker: 1)).last == .done)
  }
}
