import Engine
import Foundation
import Glibc
import Synchronization
import Testing

@testable import WebKitRuntime

@Suite("Stepped time", .engine)
struct VirtualTimeTests {
  /// Web process that is always idle: it confirms each request at once.
  private struct IdleProcess: Sendable {
    private let region: Int32
    private let rest: Int32

    init(folder: String) {
      region = open("\(folder)/region", O_RDWR)
      rest = open("\(folder)/rest", O_RDWR | O_NONBLOCK)
    }

    func answer() {
      var (request, answer): (UInt32, UInt32) = (0, 0)
      pread(region, &request, 4, 12)
      pread(region, &answer, 4, 16)
      guard request != answer else { return }
      // Its time comes to where it may, as nothing is due before.
      var target: Int64 = 0
      pread(region, &target, 8, 40)
      pwrite(region, &target, 8, 32)
      pwrite(region, &request, 4, 16)
      write(rest, "r", 1)
    }

    /// Answers requests until the body has ended.
    @EngineActor func answering<Value: Sendable>(_ body: @EngineActor () async -> Value) async -> Value {
      let task = Task.detached {
        while !Task.isCancelled {
          answer()
          await Task.yield()
        }
      }
      defer { task.cancel() }
      return await body()
    }

    /// Writes numbers of the process's own choice into the region.
    func claim(now: Int64, due: Int64) {
      var (now, due) = (now, due)
      pwrite(region, &now, 8, 32)
      pwrite(region, &due, 8, 56)
    }

    func close() {
      Glibc.close(region)
      Glibc.close(rest)
    }
  }

  /// Asks for time on behalf of an ended render after the next one has begun in the same web process.
  @Test("is over for the render before, which keeps the next from nothing")
  @EngineActor func late() async throws {
    let link = try ClockLink()
    let process = IdleProcess(folder: link.folder)
    defer { process.close() }
    let before = VirtualTime(link: link, epoch: 1 << 50, date: 0)
    var ended: [Bool] = []
    before.advance(to: .milliseconds(1)) { ended.append($0) }
    before.end()
    #expect(ended == [false])

    let next = VirtualTime(link: link, epoch: 1 << 51, date: 0)
    let passed = await process.answering {
      await EngineActor.wait { wakeup in
        next.advance(to: .milliseconds(1)) { wakeup.resume(returning: $0) }
        before.advance(to: .milliseconds(2)) { ended.append($0) }
      }
    }
    #expect(passed)
    #expect(ended == [false, false])
    next.end()
  }

  /// Ends the render at each point of the sequence in which the processes are looked at.
  @Test("doesn't pass for a render that is over", arguments: 0..<20)
  @EngineActor func atTheLastMoment(turns: Int) async throws {
    let link = try ClockLink()
    let process = IdleProcess(folder: link.folder)
    defer { process.close() }
    let time = VirtualTime(link: link, epoch: 1 << 50, date: 0)
    var isOver = false
    let passedThen = await process.answering {
      await EngineActor.wait { wakeup in
        time.advance(to: .zero) { passed in wakeup.resume(returning: passed && isOver) }
        Self.whenIdle(for: turns) {
          isOver = true
          time.end()
        }
      }
    }
    #expect(!passedThen)
  }

  @EngineActor private static func whenIdle(for turns: Int, _ body: @escaping @EngineActor () -> Void) {
    EngineActor.whenIdle { turns == 0 ? body() : whenIdle(for: turns - 1, body) }
  }

  @Test(
    "survives any number of a web process",
    arguments: [(Int64.min, Int64.min), (.max, .max), (.min, .max), (-1, 0)] as [(Int64, Int64)])
  @EngineActor func anyNumber(now: Int64, due: Int64) async throws {
    let link = try ClockLink()
    let process = IdleProcess(folder: link.folder)
    defer { process.close() }
    let time = VirtualTime(link: link, epoch: 1 << 62, date: 0)
    process.claim(now: now, due: due)
    #expect(time.now == .nanoseconds(now) - .nanoseconds(Int64(1 << 62)))
    #expect(time.nextTimer == .nanoseconds(max(now, due)) - .nanoseconds(Int64(1 << 62)))
    #expect(time.firstFrame == nil)
    time.end()
  }

  @Test("tells everyone who waits for the same process")
  @EngineActor func together() async throws {
    let link = try ClockLink()
    let process = IdleProcess(folder: link.folder)
    defer { process.close() }
    let times = [1 << 50, 1 << 51].map { VirtualTime(link: link, epoch: $0, date: 0) }
    let passed = await process.answering {
      var passed: [Bool] = []
      return await EngineActor.wait { wakeup in
        for time in times {
          time.advance(to: .zero) {
            passed.append($0)
            if passed.count == times.count { wakeup.resume(returning: passed) }
          }
        }
      }
    }
    #expect(passed == [true, true])
    for time in times { time.end() }
  }
}

@Suite("The frame gate")
struct FrameGateTests {
  /// States found for a thread named like a display link, during its life and at its end.
  private final class Life: Sendable {
    let wasLink = Mutex(false)
    /// States in each of the rounds in which the C library clears a thread's data.
    let stillWas = Mutex<[Bool]>([])
    let key = Mutex(pthread_key_t())
  }

  /// Ends a thread as the engine does, in the second round, and waits for its locks there as elsewhere.
  @Test("lets go of a display link before the engine ends its thread")
  func ended() throws {
    let life = Life()
    #expect(
      life.key.withLock { key in
        pthread_key_create(&key) { value in
          guard let value else { return }
          let life = Unmanaged<Life>.fromOpaque(value).takeUnretainedValue()
          let rounds = life.stillWas.withLock { rounds in
            rounds.append(FrameGate.ownsThisThread)
            return rounds.count
          }
          if rounds == 1 { pthread_setspecific(life.key.withLock { $0 }, value) }
        }
      } == 0)
    let thread = try NamedThread.start("VBlankMonitor") {
      life.wasLink.withLock { $0 = FrameGate.ownsThisThread }
      pthread_setspecific(life.key.withLock { $0 }, Unmanaged.passUnretained(life).toOpaque())
    }
    pthread_join(thread, nil)
    pthread_key_delete(life.key.withLock { $0 })
    #expect(life.wasLink.withLock { $0 })
    #expect(life.stillWas.withLock { $0 }.last == false)
    #expect(life.stillWas.withLock { $0.count } == 2)
  }

  /// Condition variable on which a display link sleeps while no frames are wanted.
  private final class ParkingPlace: @unchecked Sendable {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    let hasCome = Atomic(false)
    let isClosed = Atomic(false)
    let hasLeft = Atomic(false)

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }
  }

  /// Runs a link of a view that is shown in real time, since such views have links too.
  @Test("waits for no display link whose frames come by themselves")
  func asleepOnItsOwn() throws {
    let place = ParkingPlace()
    let thread = try NamedThread.start("VBlankMonitor") {
      place.hasCome.store(true, ordering: .relaxed)
      var frame = timespec(tv_sec: 0, tv_nsec: 16_000_000)
      while !place.isClosed.load(ordering: .relaxed) { nanosleep(&frame, nil) }
    }
    while !place.hasCome.load(ordering: .relaxed) {}

    var longest = Duration.zero
    for _ in 0..<100 where longest < .seconds(4) {
      longest = max(longest, ContinuousClock().measure { _ = FrameGate.isWanted })
    }
    #expect(longest < .seconds(4))

    place.isClosed.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  /// Wakes links without their lock, as the engine does, so at times while they are about to sleep again.
  ///
  /// A single round hits that moment by chance, about once in a hundred thousand.
  @Test("takes no display link that sleeps for one that runs")
  func wokenOnItsWay() throws {
    let place = ParkingPlace()
    let thread = try NamedThread.start("VBlankMonitor") {
      pthread_mutex_lock(place.mutex)
      while !place.isClosed.load(ordering: .relaxed) { pthread_cond_wait(place.condition, place.mutex) }
      pthread_mutex_unlock(place.mutex)
      place.hasLeft.store(true, ordering: .relaxed)
    }

    var longest = Duration.zero
    for turn in 0..<30_000 where longest < .seconds(4) {
      for _ in 0..<3 {
        pthread_cond_signal(place.condition)
        for _ in 0..<(turn * 37 % 1_000) { _ = place.hasLeft.load(ordering: .relaxed) }
      }
      longest = max(longest, ContinuousClock().measure { _ = FrameGate.isWanted })
    }
    // One that is taken to run is waited for until the gate gives up on it, for six seconds and more.
    #expect(longest < .seconds(4))

    place.isClosed.store(true, ordering: .relaxed)
    while !place.hasLeft.load(ordering: .relaxed) { pthread_cond_signal(place.condition) }
    pthread_join(thread, nil)
  }
}
