import Glibc
import Testing

@testable import WebKitRuntime

@Suite("Stepped time", .engine)
struct SteppedTimeTests {
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
      pread(region, &request, 4, 8)
      pread(region, &answer, 4, 12)
      guard request != answer else { return }
      pwrite(region, &request, 4, 12)
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
    let before = SteppedTime(link: link, epoch: 1 << 50, date: 0)
    var ended: [Bool] = []
    before.advance(to: .milliseconds(1)) { ended.append($0) }
    before.end()
    #expect(ended == [false])

    let next = SteppedTime(link: link, epoch: 1 << 51, date: 0)
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
    let time = SteppedTime(link: link, epoch: 1 << 50, date: 0)
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
    let times = [1 << 50, 1 << 51].map { SteppedTime(link: link, epoch: $0, date: 0) }
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
