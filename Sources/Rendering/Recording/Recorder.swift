internal import Jobs
internal import MRAID
internal import WebKitRuntime

/// The event log of one render: numbers events, keeps them for waits and expectations, hands them to the writer.
@WebKitActor final class Recorder {
  private(set) var events: [Event] = []
  private let writer: EventWriter
  private let clock: RenderClock
  private var waiters: [Int: Waiter] = [:]
  private var nextWaiter = 0
  /// A hostile page can call the bridge for ever; the log ends with `logTruncated` after so many events.
  static let capacity = 10_000

  private struct Waiter {
    let holds: @WebKitActor () -> Bool
    let wakeup: Wakeup<Bool>
  }

  /// How the log names the creative's own addresses, which in a shared session are new each time; nil as they are.
  private let addresses: PageAddresses?

  init(writer: EventWriter, addresses: PageAddresses? = nil, clock: RenderClock = RenderClock()) {
    self.clock = clock
    self.writer = writer
    self.addresses = addresses
  }

  /// Milliseconds since the load began, to the tenth; in stepped time those of the frame, since within one what pages tell
  /// may be heard sooner or later.
  var now: Double { (clock.frame / .milliseconds(1) * 10).rounded() / 10 }

  /// Logs what happened now, or at `time` when it is told later.
  func record(
    _ source: Event.Source, _ name: String, _ detail: JSONValue = .object([:]), at time: Double? = nil
  ) {
    defer { wakeWaiters() }
    guard events.count < Self.capacity else { return }
    if events.count == Self.capacity - 1 {
      return append(.host, "logTruncated", ["capacity": .number(Double(Self.capacity))], now)
    }
    append(source, name, detail, time ?? now)
  }

  private func append(_ source: Event.Source, _ name: String, _ detail: JSONValue, _ time: Double) {
    let detail = addresses?.displayAll(in: detail) ?? detail
    let event = Event(seq: events.count, t: time, source: source, name: name, detail: detail)
    events.append(event)
    writer.write(event)
  }

  /// How many logged events match.
  func count(_ pattern: EventPattern) -> Int { events.count(where: pattern.matches) }

  /// Returns true as soon as `holds` does, looking after each event; false when time is over or the task cancelled.
  func wait(_ timeout: Duration? = nil, until holds: @escaping @WebKitActor () -> Bool) async -> Bool {
    if holds() { return true }
    if Task.isCancelled { return false }
    let id = nextWaiter
    nextWaiter += 1
    let timer = timeout.map { timeout in
      Task { @WebKitActor [weak self] in
        await self?.clock.sleep(for: timeout)
        if !Task.isCancelled { self?.resume(id, false) }
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await WebKitActor.wait { waiters[id] = Waiter(holds: holds, wakeup: $0) }
    } onCancel: {
      Task { @WebKitActor [weak self] in self?.resume(id, false) }
    }
  }

  /// Looks whether anyone's wait is over; called after each event and when something unlogged changed.
  func wakeWaiters() {
    // Whoever waited first goes on first, in every run.
    for (id, waiter) in waiters.sorted(by: { $0.key < $1.key }) where waiter.holds() { resume(id, true) }
  }

  private func resume(_ id: Int, _ holds: Bool) {
    waiters.removeValue(forKey: id)?.wakeup.resume(returning: holds)
  }
}
