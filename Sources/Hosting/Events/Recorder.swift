package import Core
package import Engine
package import RenderModel

/// Event log of one render: numbers events, keeps them for waits and expectations, and passes them to the writer.
@EngineActor package final class Recorder {
  package private(set) var events: [Event] = []
  private let writer: EventWriter
  private let clock: any RenderTime
  private var waiters: [Int: Waiter] = [:]
  private var nextWaiter = 0
  /// Maximum number of events; the log then ends with `logTruncated`, as a hostile page can call the bridge endlessly.
  package static let capacity = 10_000
  /// Maximum number of bytes, so that readers of the log need little memory.
  package static let largest = 4 << 20
  /// Upper bound of the log's bytes so far.
  private var bytes = 0
  /// Number of events that came when the log was full.
  package private(set) var leftOut = 0

  /// Warning that the log has no room for all events; nil if it has.
  package var warning: String? {
    leftOut == 0 ? nil : "the event log is full: \(leftOut) later events are missing"
  }

  private struct Waiter {
    let holds: @EngineActor () -> Bool
    let wakeup: Wakeup<Bool>
  }

  /// Addresses of the creative's own files, which the log names without their changing host; nil leaves addresses as
  /// they are.
  private let addresses: PageAddresses?

  package init(writer: EventWriter, addresses: PageAddresses? = nil, clock: any RenderTime) {
    self.clock = clock
    self.writer = writer
    self.addresses = addresses
  }

  /// Milliseconds since the load began, to one decimal.
  ///
  /// In virtual time it is the frame's timestamp, since messages of pages within a frame may arrive sooner or later.
  package var now: Double { (clock.frame / .milliseconds(1) * 10).rounded() / 10 }

  /// Logs an event that happened now, or at `time` if it is reported later.
  package func record(
    _ source: Event.Source, _ name: Event.Name, _ detail: JSONValue = .object([:]), at time: Double? = nil
  ) {
    record(source, name.rawValue, detail, at: time)
  }

  /// Logs an event under a name that is text, as those of calls and of messages are.
  package func record(
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
      return append(.host, Event.Name.logTruncated.rawValue, bounds, now)
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

  /// Number of logged events that match.
  package func count(_ pattern: EventPattern) -> Int { events.count(where: pattern.matches) }

  /// Returns true as soon as `holds` is true, checked after each event; false on timeout or if the task is cancelled.
  ///
  /// - Parameter deadline: an instant of the machine's time; `timeout` is in the render's time.
  package func wait(
    _ timeout: Duration? = nil, deadline: ContinuousClock.Instant? = nil,
    until holds: @escaping @EngineActor () -> Bool
  ) async -> Bool {
    if holds() { return true }
    if Task.isCancelled { return false }
    let id = nextWaiter
    nextWaiter += 1
    let timer = timeout.map { timeout in
      Task { @EngineActor [weak self] in
        await self?.clock.sleep(for: timeout)
        if !Task.isCancelled { self?.resume(id, false) }
      }
    }
    let alarm = deadline.map { deadline in
      Task { @EngineActor [weak self] in
        try await Task.sleep(until: deadline)
        self?.resume(id, false)
      }
    }
    defer {
      timer?.cancel()
      alarm?.cancel()
    }
    return await withTaskCancellationHandler {
      await EngineActor.wait { waiters[id] = Waiter(holds: holds, wakeup: $0) }
    } onCancel: {
      Task { @EngineActor [weak self] in self?.resume(id, false) }
    }
  }

  /// Wakes the tasks whose condition holds; called after each event and when something unlogged has changed.
  package func wakeWaiters() {
    // Whoever waited first goes on first, in every run.
    for (id, waiter) in waiters.sorted(by: { $0.key < $1.key }) where waiter.holds() { resume(id, true) }
  }

  private func resume(_ id: Int, _ holds: Bool) {
    waiters.removeValue(forKey: id)?.wakeup.resume(returning: holds)
  }
}

extension CutValue {
  /// The value as an event's detail; `cut` is true if something is missing.
  fileprivate var withMark: JSONValue {
    guard isCut, case .object(var members) = value else { return value }
    members["cut"] = true
    return .object(members)
  }
}
