internal import Core
internal import NIOCore
internal import Synchronization

/// Lets connections in, and closes those that have to go.
final class ConnectionSupervisor: Sendable {
  private struct Book {
    var table: ConnectionTable
    var connections: [Int: Connection] = [:]
    var ids: [ObjectIdentifier: Int] = [:]

    /// Forgets a connection that has left the table.
    mutating func forget(_ id: Int) -> Connection? {
      guard let connection = connections.removeValue(forKey: id) else { return nil }
      ids[ObjectIdentifier(connection.channel)] = nil
      return connection
    }
  }

  let bounds: ConnectionBounds
  private let front: Front
  private let gauges: ServiceGauges
  private let book: Mutex<Book>

  init(_ bounds: ConnectionBounds, front: Front, gauges: ServiceGauges) {
    (self.bounds, self.front, self.gauges) = (bounds, front, gauges)
    book = Mutex(Book(table: ConnectionTable(bounds)))
  }

  /// Takes a connection in, for which another may have to go; nil when there is no room.
  func arrive(_ channel: any Channel) -> Connection? {
    let peer = IPAddress(of: channel.remoteAddress)
    // A household or a machine has a whole network of version 6.
    let address = front.trusts(peer) ? nil : Array((peer?.bytes ?? []).prefix(peer?.isVersion4 == false ? 8 : 4))
    let (connection, leaving) = book.withLock { book -> (Connection?, Connection?) in
      guard let (id, leaving) = book.table.arrive(from: address) else { return (nil, nil) }
      let connection = Connection(id, channel)
      book.connections[id] = connection
      book.ids[ObjectIdentifier(channel)] = id
      return (connection, leaving.flatMap { book.forget($0) })
    }
    if let leaving { cut(leaving.channel, .displaced) }
    guard let connection else {
      gauges.cut(.refused)
      return nil
    }
    channel.closeFuture.whenComplete { [weak self] _ in self?.leave(connection) }
    return connection
  }

  /// The connection that a channel is; nil once it is over.
  func connection(of channel: any Channel) -> Connection? {
    book.withLock { book in book.ids[ObjectIdentifier(channel)].flatMap { book.connections[$0] } }
  }

  /// A request of it is answered: meanwhile it gives way to nobody.
  func work(_ connection: Connection) {
    connection.work()
    book.withLock { $0.table.work(connection.id) }
  }

  /// The answer is over.
  func rest(_ connection: Connection) {
    connection.rest()
    book.withLock { $0.table.rest(connection.id) }
  }

  /// Closes a connection.
  func cut(_ channel: any Channel, _ reason: ConnectionCut) {
    gauges.cut(reason)
    channel.close(promise: nil)
  }

  private func leave(_ connection: Connection) {
    book.withLock { book in
      book.table.leave(connection.id)
      _ = book.forget(connection.id)
    }
  }
}

extension IPAddress {
  /// The other side's; nil for what has none, such as a local socket.
  init?(of address: SocketAddress?) {
    guard let text = address?.ipAddress else { return nil }
    // A zone belongs to the machine and not to the address, and so does the way in which version 6 carries version 4.
    let plain = text.prefix { $0 != "%" }
    self.init(plain.hasPrefix("::ffff:") && plain.contains(".") ? plain.dropFirst(7) : plain)
  }
}

/// Who is connected: bounded altogether and by address, and who rests gives way to who comes.
struct ConnectionTable: Sendable {
  private struct Entry {
    let address: [UInt8]?
    /// Since when nothing is asked for, as a place in the order of all that happened; nil while a request is answered.
    var restsSince: Int?
  }

  private let bounds: ConnectionBounds
  private var entries: [Int: Entry] = [:]
  private var counts: [[UInt8]: Int] = [:]
  private var clock = 0

  init(_ bounds: ConnectionBounds) { self.bounds = bounds }

  var count: Int { entries.count }

  /// Takes a connection in and names the one that has to go for it; nil when there is no room.
  ///
  /// Without an address it is a trusted proxy's, whose connections count towards all of them only.
  mutating func arrive(from address: [UInt8]?) -> (id: Int, leaving: Int?)? {
    var leaving: Int?
    if let address, counts[address, default: 0] >= bounds.mostOfOne {
      leaving = longestResting { $0.address == address }
      guard leaving != nil else { return nil }
    } else if entries.count >= bounds.most {
      // Of whoever has the most of them: one who opens many can only crowd out his own.
      let crowd = entries.values.filter { $0.restsSince != nil }.map { weight($0) }.max()
      leaving = longestResting { weight($0) == crowd }
      guard leaving != nil else { return nil }
    }
    if let leaving { leave(leaving) }
    clock += 1
    entries[clock] = Entry(address: address, restsSince: clock)
    if let address { counts[address, default: 0] += 1 }
    return (clock, leaving)
  }

  /// A request is answered from now on.
  mutating func work(_ id: Int) { entries[id]?.restsSince = nil }

  /// Its answer is over.
  mutating func rest(_ id: Int) {
    clock += 1
    entries[id]?.restsSince = clock
  }

  /// The connection is over.
  mutating func leave(_ id: Int) {
    guard let entry = entries.removeValue(forKey: id), let address = entry.address else { return }
    counts[address, default: 1] -= 1
    if counts[address] == 0 { counts[address] = nil }
  }

  private func weight(_ entry: Entry) -> Int { entry.address.map { counts[$0, default: 0] } ?? 0 }

  private func longestResting(_ counts: (Entry) -> Bool) -> Int? {
    entries.filter { $0.value.restsSince != nil && counts($0.value) }
      .min { $0.value.restsSince ?? 0 < $1.value.restsSince ?? 0 }?.key
  }
}

/// How many may be connected, and how long a connection may come to nothing.
struct ConnectionBounds: Sendable {
  /// Connections together.
  var most = 1000
  /// Connections of one address that isn't a trusted proxy's.
  var mostOfOne = 200
  /// Seconds for the head of a request, from its first byte or from the connection's beginning.
  var head = 10.0
  /// Seconds in which a client that is sent an answer has to take something of it.
  var stall = 60.0
}

/// Why a connection was closed or refused; the raw values are a stable vocabulary.
enum ConnectionCut: String, Sendable, CaseIterable {
  /// There was no room, and nobody who rested.
  case refused
  /// It rested when there was no room for another.
  case displaced
  /// The head of its request didn't come in time.
  case slowHead = "slow-head"
  /// Its client took nothing of an answer for too long.
  case stalled
}
