internal import Egress
internal import NIOCore
internal import Synchronization

/// Lets connections in, and closes those that have to go.
final class ConnectionDesk: Sendable {
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
