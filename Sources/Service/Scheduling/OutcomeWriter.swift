internal import Core
internal import Logging

/// Writes down how renders ended, and tells whoever waits for it; what can't be written is kept until it can.
actor OutcomeWriter {
  private let store: Store
  /// The address by which others know the server; nil for the one that it listens on.
  private let base: PublicAddress?
  private let renderEvents: RenderEvents
  private let gauges: ServiceGauges
  private let log: Logger
  /// Called when something has to be told to an address.
  private let webhookIsDue: @Sendable () -> Void
  private var pendingOutcomes = PendingOutcomes()

  init(
    store: Store, base: PublicAddress?, renderEvents: RenderEvents, gauges: ServiceGauges, log: Logger,
    webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.store, self.base, self.renderEvents) = (store, base, renderEvents)
    (self.gauges, self.log, self.webhookIsDue) = (gauges, log, webhookIsDue)
  }

  /// Outcomes that couldn't be written down yet.
  var unwritten: Int { pendingOutcomes.count }

  /// Why a render's outcome couldn't be written down; nil when it was, or has none.
  func fault(of id: String) -> Fault? { pendingOutcomes.fault(of: id) }

  /// Ends a render, whatever became of it, and tells whoever waits; what can't be written down is kept until it can.
  func end(
    _ id: String, _ status: RenderStatus, _ fault: Fault?, summary: RenderSummary? = nil, callback: String? = nil,
    review: Review? = nil
  ) async {
    let ending = RenderCompletion(
      status: status, fault: fault, summary: summary?.text, finished: Instant.now, review: review)
    let outcome = Outcome(id: id, ending: ending, callback: callback)
    do throws(Fault) {
      try await write(outcome)
    } catch {
      pendingOutcomes.keep(outcome, because: error, at: .now)
      log.critical("an outcome couldn't be written down yet", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }

  /// Writes down what couldn't be before, as far as it can be now.
  func writeKept(at timestamp: ContinuousClock.Instant = .now) async {
    for outcome in pendingOutcomes.due(at: timestamp) {
      do throws(Fault) {
        try await write(outcome)
        pendingOutcomes.remove(outcome.id)
        log.notice("an outcome could be written down after all", metadata: ["render": "\(outcome.id)"])
      } catch {
        // The next would fare no better.
        return pendingOutcomes.wait(because: error, at: timestamp)
      }
    }
  }

  /// Only what is written down has ended: nobody is told of it before.
  func write(_ outcome: Outcome) async throws(Fault) {
    var ending = outcome.ending
    guard let row = try await store.render(outcome.id) else { return }
    if let address = outcome.callback ?? RenderRequest.read(row.request)?.callback {
      ending.hook = WebhookBody(row, ending: ending, base: base).message(to: address)
    }
    guard try await store.end(outcome.id, ending) != nil else { return }
    if ending.hook != nil { webhookIsDue() }
    gauges.ended(ending.status, code: ending.fault?.code)
    renderEvents.post(.ended(ending.status), of: outcome.id)
  }
}

/// How a render ended, and whom to tell.
struct Outcome: Sendable {
  let id: String
  let ending: RenderCompletion
  /// The address to tell; nil for the one in the request, if any.
  let callback: String?
}

/// Outcomes that couldn't be written down, as on a full disk: kept in memory until they can, tried less and less often.
struct PendingOutcomes: Sendable {
  /// Why the latest attempt failed.
  private var fault: Fault?
  private var kept: [Outcome] = []
  private var next = ContinuousClock.now
  private var pause = PendingOutcomes.shortest
  private static let shortest = Duration.seconds(1)
  /// The longest pause between two attempts.
  static let longest = Duration.seconds(30)

  var count: Int { kept.count }

  /// Why a render's outcome couldn't be written down; nil when it was, or has none.
  func fault(of id: String) -> Fault? { kept.contains { $0.id == id } ? fault : nil }

  /// Keeps one; the first that a render ended with counts.
  mutating func keep(_ outcome: Outcome, because fault: Fault, at timestamp: ContinuousClock.Instant) {
    if kept.isEmpty { (next, pause) = (timestamp + Self.shortest, Self.shortest) }
    if !kept.contains(where: { $0.id == outcome.id }) { kept.append(outcome) }
    self.fault = fault
  }

  /// What is worth an attempt, in the order in which it ended.
  func due(at timestamp: ContinuousClock.Instant) -> [Outcome] { timestamp < next ? [] : kept }

  /// It still can't be written down.
  mutating func wait(because fault: Fault, at timestamp: ContinuousClock.Instant) {
    self.fault = fault
    pause = min(pause * 2, Self.longest)
    next = timestamp + pause
  }

  /// It is written down.
  mutating func remove(_ id: String) {
    kept.removeAll { $0.id == id }
    pause = Self.shortest
  }
}
