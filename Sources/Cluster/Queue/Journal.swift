package import Core

/// Shared sequence of changes, which all servers apply in the same order; each change is stored before a server acts on
/// it.
package final class Journal: Sendable {
  /// A change and its place in the order.
  package struct Entry: Hashable, Sendable {
    package let place: UInt64
    package let bytes: [UInt8]
  }

  /// Maximum number of bytes of a change; a server of NATS accepts a mebibyte.
  package static let largest = 900_000
  private let nats: NatsConnection
  private let names: QueueNames

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int) async throws(Fault) {
    (self.nats, self.names) = (nats, names)
    var settings = StreamSettings(names.journal, subjects: [names.changes])
    settings.replicas = replicas
    try await nats.makeStream(settings, keepingOthers: true)
  }

  /// Appends a change; the same ticket within two minutes is the same change. Returns its place.
  @discardableResult package func append(_ bytes: [UInt8], ticket: String) async throws(Fault) -> UInt64 {
    guard bytes.count <= Self.largest else {
      throw .request(.changeTooLarge, "a change of \(bytes.count) bytes exceeds the limit of \(Self.largest) bytes")
    }
    let message = NatsMessage(names.changes, bytes)
    return try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(message, PublishConditions(id: ticket)).sequence
    }
  }

  /// Returns the first and the latest place; the latest is 0 if nothing was ever appended.
  package func ends() async throws(Fault) -> (first: UInt64, last: UInt64) {
    let state = try await Retrying.run { () throws(Fault) in try await self.nats.stateOfStream(self.names.journal) }
    return (state.firstSequence, state.lastSequence)
  }

  /// Opens a reader of the changes after a place.
  package func reader(after place: UInt64) async throws(Fault) -> JournalReader {
    JournalReader(
      try await OrderedReader.open(names.journal, subject: names.changes, after: place, on: nats), after: place)
  }

  /// Removes changes up to a place, once all servers that need them have their content stored elsewhere.
  package func forget(through place: UInt64) async throws(Fault) {
    try await nats.purge(names.journal, through: place)
  }
}

/// Reader of changes in their order, without gaps.
package final class JournalReader: Sendable {
  private let reader: OrderedReader
  private let start: UInt64

  init(_ reader: OrderedReader, after place: UInt64) { (self.reader, start) = (reader, place) }

  /// Returns the next changes, at most `most`; none if there are none within a second.
  /// - Throws: `journal-gap` if some changes were removed or didn't arrive.
  package func next(_ most: Int, after place: UInt64) async throws(Fault) -> [Journal.Entry] {
    var last = place
    var entries: [Journal.Entry] = []
    for message in try await reader.next(most, within: .seconds(1)) where message.sequence > place {
      guard message.sequence == last + 1 else {
        if entries.isEmpty { throw .engine(.journalGap, "changes between \(last) and \(message.sequence) are missing") }
        // What came before the gap is told; the rest with the next reader.
        return entries
      }
      last = message.sequence
      entries.append(Journal.Entry(place: last, bytes: message.bytes))
    }
    return entries
  }
}
