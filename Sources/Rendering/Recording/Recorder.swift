internal import Core
internal import RenderModel
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
  /// The same for its bytes, so that who reads it needn't fear for memory.
  static let largest = 4 << 20
  /// Bytes of the log, at the most.
  private var bytes = 0
  /// Events that came when the log was full.
  private(set) var leftOut = 0

  /// What a record says of a log that has no room for all; nil when it has.
  var warning: String? {
    leftOut == 0 ? nil : "the event log is full: \(leftOut) further events aren't in it"
  }

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
    guard leftOut == 0 else {
      leftOut += 1
      return
    }
    let kept = (addresses?.displayAll(in: detail) ?? detail).cut()
    guard events.count < Self.capacity - 1, bytes + kept.bytes <= Self.largest else {
      leftOut = 1
      let bounds: JSONValue = ["capacity": .number(Double(Self.capacity)), "bytes": .number(Double(Self.largest))]
      return append(.host, "logTruncated", bounds, now)
    }
    bytes += kept.bytes + Self.frame
    append(source, name.cut(to: JSONValue.keptText), kept.withMark, time ?? now)
  }

  /// Bytes of a line besides its detail.
  private static let frame = 100

  private func append(_ source: Event.Source, _ name: String, _ detail: JSONValue, _ time: Double) {
    let event = Event(seq: events.count, t: time, source: source, name: name, detail: detail)
    events.append(event)
    writer.write(event)
  }

  /// How many logged events match.
  func count(_ pattern: EventPattern) -> Int { events.count(where: pattern.matches) }

  /// Returns true as soon as `holds` does, looking after each event; false when time is over or the task cancelled.
  ///
  /// - Parameter deadline: an instant of the machine's time, whichever time `timeout` is of.
  func wait(
    _ timeout: Duration? = nil, deadline: ContinuousClock.Instant? = nil,
    until holds: @escaping @WebKitActor () -> Bool
  ) async -> Bool {
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
    let alarm = deadline.map { deadline in
      Task { @WebKitActor [weak self] in
        try await Task.sleep(until: deadline)
        self?.resume(id, false)
      }
    }
    defer {
      timer?.cancel()
      alarm?.cancel()
    }
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

extension CutValue {
  /// The value as an event's detail: `cut` says that something is missing.
  fileprivate var withMark: JSONValue {
    guard isCut, case .object(var members) = value else { return value }
    members["cut"] = true
    return .object(members)
  }
}
