import Foundation
import Glibc
@testable import Rendering
import Synchronization
import Testing
@testable import WebKitRuntime

@Suite("Stepped time", .engine)
struct VirtualTimeTests {
  /// A web process that never has anything to do: says that it has answered what it was asked last.
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

    /// Answers until the body has come to its end.
    @WebKitActor func answering<Value: Sendable>(_ body: @WebKitActor () async -> Value) async -> Value {
      let task = Task.detached {
        while !Task.isCancelled {
          answer()
          await Task.yield()
        }
      }
      defer { task.cancel() }
      return await body()
    }

    func close() {
      Glibc.close(region)
      Glibc.close(rest)
    }
  }

  /// What is left of a render may ask for time when the next one's has begun in the same web process.
  @Test("is over for the render before, which keeps the next from nothing")
  @WebKitActor func late() async throws {
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
      await WebKitActor.wait { wakeup in
        next.advance(to: .milliseconds(1)) { wakeup.resume(returning: $0) }
        before.advance(to: .milliseconds(2)) { ended.append($0) }
      }
    }
    #expect(passed)
    #expect(ended == [false, false])
    next.end()
  }

  /// Whenever the render ends while everybody is looked at, one after the other.
  @Test("doesn't pass for a render that is over", arguments: 0..<20)
  @WebKitActor func atTheLastMoment(turns: Int) async throws {
    let link = try ClockLink()
    let process = IdleProcess(folder: link.folder)
    defer { process.close() }
    let time = VirtualTime(link: link, epoch: 1 << 50, date: 0)
    var isOver = false
    let passedThen = await process.answering {
      await WebKitActor.wait { wakeup in
        time.advance(to: .zero) { passed in wakeup.resume(returning: passed && isOver) }
        Self.whenIdle(for: turns) {
          isOver = true
          time.end()
        }
      }
    }
    #expect(!passedThen)
  }

  @WebKitActor private static func whenIdle(for turns: Int, _ body: @escaping @WebKitActor () -> Void) {
    WebKitActor.whenIdle { turns == 0 ? body() : whenIdle(for: turns - 1, body) }
  }

  @Test("tells everyone who waits for the same process")
  @WebKitActor func together() async throws {
    let link = try ClockLink()
    let process = IdleProcess(folder: link.folder)
    defer { process.close() }
    let times = [1 << 50, 1 << 51].map { VirtualTime(link: link, epoch: $0, date: 0) }
    let passed = await process.answering {
      var passed: [Bool] = []
      return await WebKitActor.wait { wakeup in
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
  /// What a thread named like a display link was found to be, while it lived and when it came to its end.
  private final class Life: Sendable {
    let wasLink = Mutex(false)
    /// In each of the rounds in which the C library has what belongs to a thread cleared away.
    let stillWas = Mutex<[Bool]>([])
    let key = Mutex(pthread_key_t())
  }

  /// The engine ends its threads in the second round, and waits for its locks there as it does elsewhere.
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

  /// Where a display link sleeps while nobody wants frames.
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

  /// Views that are shown in the machine's time have such links too.
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

  /// The engine wakes them without their lock, so at times while they are about to sleep again. Whether one turn does
  /// is chance, some one in a hundred thousand.
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

@Suite("A schedule") struct ScheduleTests {
  @Test("gives what is due in the order of its instants, whoever asks first") func order() {
    var schedule = Schedule()
    var done: [String] = []
    for (name, due) in [("late", 30), ("first", 10), ("second", 10), ("between", 20)] {
      schedule.add(at: .milliseconds(due)) { done.append(name) }
    }
    #expect(schedule.next(dueBy: .milliseconds(9)) == nil)
    while let action = schedule.next(dueBy: .milliseconds(20)) { action() }
    #expect(done == ["first", "second", "between"])
    #expect(schedule.count == 1)
  }
}
