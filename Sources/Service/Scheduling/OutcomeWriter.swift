internal import Core
internal import Logging
internal import RenderModel
internal import Scheduling
internal import Telemetry

/// Stores outcomes of renders and notifies clients that wait; outcomes that can't be stored are retried.
actor OutcomeWriter {
  private let store: Store
  /// The public address of the server; nil for the one that it listens on.
  private let base: PublicAddress?
  private let renderEvents: RenderEvents
  private let gauges: ServiceGauges
  private let log: Logger
  /// Callback for when a webhook is ready to be sent.
  private let webhookIsDue: @Sendable () -> Void
  private var pendingOutcomes = PendingOutcomes()

  init(
    store: Store, base: PublicAddress?, renderEvents: RenderEvents, gauges: ServiceGauges, log: Logger,
    webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.store, self.base, self.renderEvents) = (store, base, renderEvents)
    (self.gauges, self.log, self.webhookIsDue) = (gauges, log, webhookIsDue)
  }

  /// Number of outcomes that couldn't be stored yet.
  var unwritten: Int { pendingOutcomes.count }

  /// Fault for which a render's outcome couldn't be stored; nil if it was, or if there is none.
  func fault(of id: String) -> Fault? { pendingOutcomes.fault(of: id) }

  /// Ends a render with any outcome and notifies clients that wait; an outcome that can't be stored is kept and
  /// retried.
  func end(
    _ id: String, _ status: RenderStatus, _ fault: Fault?, summary: RenderSummary? = nil, review: Review? = nil
  ) async {
    let ending = RenderCompletion(
      status: status, fault: fault, summary: summary?.text, finished: Instant.now, review: review)
    let outcome = EndRender(id: id, ending: ending)
    do throws(Fault) {
      try await write(outcome)
    } catch {
      pendingOutcomes.keep(outcome, because: error, at: .now)
      log.critical("a result can't be stored yet", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }

  /// Retries the outcomes that couldn't be stored before.
  func writeKept(at timestamp: ContinuousClock.Instant = .now) async {
    for outcome in pendingOutcomes.due(at: timestamp) {
      do throws(Fault) {
        try await write(outcome)
        pendingOutcomes.remove(outcome.id)
        log.notice("a result is stored after a delay", metadata: ["render": "\(outcome.id)"])
      } catch {
        // The next would fare no better.
        return pendingOutcomes.wait(because: error, at: timestamp)
      }
    }
  }

  /// Stores an outcome together with its webhook, and only then notifies clients of the end.
  func write(_ outcome: EndRender) async throws(Fault) {
    var ending = outcome.ending
    guard let row = try await store.render(outcome.id) else { return }
    if let address = RenderRequest.read(row.request)?.callback {
      ending.hook = WebhookBody(row, ending: ending, base: base).message(to: address)
    }
    guard try await store.end(outcome.id, ending) != nil else { return }
    if ending.hook != nil { webhookIsDue() }
    gauges.ended(ending.status, code: ending.fault?.code)
    renderEvents.post(.ended(ending.status), of: outcome.id)
  }
}

/// Outcomes that couldn't be stored, for example on a full disk: kept in memory and retried at growing intervals.
struct PendingOutcomes: Sendable {
  /// Fault of the latest attempt.
  private var fault: Fault?
  private var kept: [EndRender] = []
  private var next = ContinuousClock.now
  private var pause = PendingOutcomes.shortest
  private static let shortest = Duration.seconds(1)
  /// Maximum time between two attempts.
  static let longest = Duration.seconds(30)

  var count: Int { kept.count }

  /// Fault for which a render's outcome couldn't be stored; nil if it was, or if there is none.
  func fault(of id: String) -> Fault? { kept.contains { $0.id == id } ? fault : nil }

  /// Keeps an outcome; of several for one render the first counts.
  mutating func keep(_ outcome: EndRender, because fault: Fault, at timestamp: ContinuousClock.Instant) {
    if kept.isEmpty { (next, pause) = (timestamp + Self.shortest, Self.shortest) }
    if !kept.contains(where: { $0.id == outcome.id }) { kept.append(outcome) }
    self.fault = fault
  }

  /// Outcomes to try again now, in the order in which they ended; empty before the next attempt is due.
  func due(at timestamp: ContinuousClock.Instant) -> [EndRender] { timestamp < next ? [] : kept }

  /// Notes a failed attempt and doubles the time until the next.
  mutating func wait(because fault: Fault, at timestamp: ContinuousClock.Instant) {
    self.fault = fault
    pause = min(pause * 2, Self.longest)
    next = timestamp + pause
  }

  /// Removes an outcome that has been stored.
  mutating func remove(_ id: String) {
    kept.removeAll { $0.id == id }
    pause = Self.shortest
  }
}
