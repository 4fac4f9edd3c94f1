internal import Cluster
internal import Core
internal import Foundation
internal import GRDB
internal import Logging

/// A server's copy of the state that all servers of a queue share: it applies the journal's changes, each once and in
/// order.
///
/// A caller that changes something waits until the change has come back from the journal, so that the outcome reflects
/// the order that holds for all servers.
actor Replica {
  /// A change that was applied here, and its outcome.
  struct Made: Sendable {
    let change: any StoreChange
    let outcome: Result<any Sendable, Fault>
  }

  /// Maximum number of changes applied in one transaction.
  private static let most = 500
  /// Maximum time until a change comes back from the journal.
  private static let patience = Duration.seconds(30)
  private let journal: Journal
  private let key: SigningKey
  private let store: Store
  private let log: Logger
  private var place: UInt64
  private var calls: [String: AsyncStream<Result<any Sendable, Fault>>.Continuation] = [:]
  private var arrivals: [(place: UInt64, arrived: AsyncStream<Void>.Continuation)] = []
  /// Number of rejected messages of the journal: those not signed by a server of this queue, and repeated ones.
  private(set) var refused = 0
  /// Fault for which changes can't be applied at present; nil while they can.
  private(set) var fault: Fault?
  /// Every change in order, as it is applied.
  nonisolated let made: AsyncStream<Made>
  private let tell: AsyncStream<Made>.Continuation

  init(_ journal: Journal, _ key: SigningKey, _ store: Store, log: Logger) async throws(Fault) {
    (self.journal, self.key, self.store, self.log) = (journal, key, store, log)
    (made, tell) = AsyncStream.makeStream()
    place = try await store.position.place()
  }

  /// Submits a change to all servers and returns its outcome on this one.
  nonisolated func commit<Change: StoreChange>(_ change: Change) async throws(Fault) -> Change.Outcome {
    let ticket = UUID().uuidString
    let bytes = try ChangeText.bytes(change, ticket: ticket, after: await place, key: key)
    let outcome = try await outcome(of: bytes, ticket)
    guard let outcome = outcome as? MadeChange<Change> else {
      throw .engine("store-failed", "a change of the kind \(Change.kind) had another result than on its server")
    }
    return outcome.value
  }

  private func outcome(of bytes: [UInt8], _ ticket: String) async throws(Fault) -> any Sendable {
    let (answers, answer) = AsyncStream.makeStream(
      of: Result<any Sendable, Fault>.self, bufferingPolicy: .bufferingNewest(1))
    // It may come back before the journal has said that it has it.
    calls[ticket] = answer
    defer { calls[ticket] = nil }
    do throws(Fault) {
      try await journal.append(bytes, ticket: ticket)
    } catch {
      throw error.has(.changeTooLarge) ? error : Self.unreachable(error)
    }
    let alarm = Task {
      if (try? await Task.sleep(for: Self.patience)) != nil { answer.finish() }
    }
    defer { alarm.cancel() }
    for await result in answers { return try result.get() }
    throw fault ?? .engine("queue-slow", "a change was stored but not applied here within \(Self.patience)")
  }

  /// Codes of temporary faults: the queue is unavailable, or this server must be updated.
  static let passing: Set = ["queue-unreachable", "queue-slow", "queue-busy", "journal-newer"]

  /// Fault for callers if the queue doesn't answer.
  static func unreachable(_ fault: Fault) -> Fault {
    .engine("queue-unreachable", "the queue is unreachable: \(fault.message)")
  }

  /// Waits until all changes are applied that were in the journal at the time of the call.
  func catchUp() async throws(Fault) {
    let last: UInt64
    do throws(Fault) {
      last = try await journal.ends().last
    } catch {
      throw Self.unreachable(error)
    }
    guard last > place else { return }
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    self.arrivals.append((last, arrived))
    let alarm = Task {
      if (try? await Task.sleep(for: Self.patience)) != nil { arrived.finish() }
    }
    for await _ in arrivals {}
    alarm.cancel()
    guard place >= last else {
      throw fault ?? .engine("queue-slow", "changes of other servers didn't arrive within \(Self.patience)")
    }
  }

  /// Applies changes as they arrive, until the task is cancelled.
  func run() async {
    var pause = Duration.milliseconds(100)
    while !Task.isCancelled {
      do throws(Fault) {
        try await follow()
        pause = .milliseconds(100)
      } catch {
        if Task.isCancelled { break }
        if !error.has(.journalGap) || fault != nil {
          log.error("changes of other servers can't be followed", metadata: ["error": "\(error)"])
        }
        fault = error
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .seconds(5))
      }
    }
    tell.finish()
    for call in calls.values { call.finish() }
    for arrival in arrivals { arrival.arrived.finish() }
  }

  private func follow() async throws(Fault) {
    let ends = try await journal.ends()
    guard ends.last >= place, place + 1 >= ends.first else {
      throw .engine(
        .journalDiffers,
        "this server is at change \(place), but the queue has changes \(ends.first) to \(ends.last): restart the server"
      )
    }
    let reader = try await journal.reader(after: place)
    fault = nil
    var silence = 0
    while !Task.isCancelled {
      let entries = try await reader.next(Self.most, after: place)
      if !entries.isEmpty {
        silence = 0
        try await make(entries)
        continue
      }
      silence += 1
      // A reader that a dying server of NATS left behind would be silent for ever.
      if silence >= 2, try await journal.ends().last > place {
        throw .engine(.journalGap, "changes after \(place) are missing")
      }
    }
  }

  private func make(_ entries: [Journal.Entry]) async throws(Fault) {
    var messages: [JournalMessage] = []
    for entry in entries {
      messages.append(JournalMessage(place: entry.place, signed: try ChangeText.read(entry.bytes, key: key)))
    }
    let last = entries.last?.place ?? place
    let known = messages
    let outcomes = try await store.position.apply(known, through: last)
    place = last
    for (message, outcome) in zip(messages, outcomes) {
      guard let change = message.signed, let outcome else {
        setAside(message.place)
        continue
      }
      calls[change.ticket]?.yield(outcome)
      tell.yield(Made(change: change.change, outcome: outcome))
    }
    for arrival in arrivals where arrival.place <= place { arrival.arrived.finish() }
    arrivals.removeAll { $0.place <= place }
  }

  /// Counts a rejected message of the journal; the log names the first ten of them, then every thousandth.
  private func setAside(_ place: UInt64) {
    refused += 1
    guard refused <= 10 || refused % 1000 == 0 else { return }
    log.error(
      "a journal message is ignored: no server of this queue signed it, or it is a duplicate",
      metadata: ["place": "\(place)", "count": "\(refused)"])
  }
}
