internal import Core
internal import NIOCore
internal import Synchronization
internal import Telemetry

/// Accepts connections, and closes those that exceed the limits.
final class ConnectionSupervisor: Sendable {
  private struct Book {
    var table: ConnectionTable
    var connections: [Int: Connection] = [:]
    var ids: [ObjectIdentifier: Int] = [:]

    /// Forgets a connection that has left the table, and returns it.
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

  /// Accepts a connection, for which another may be displaced; nil if there is no place.
  ///
  /// If only a reserved place for probes is left, the connection gets that one.
  func arrive(_ channel: any Channel) -> Connection? {
    let peer = IPAddress(of: channel.remoteAddress)
    let address = front.trusts(peer) ? nil : peer.map(Self.network) ?? []
    let (connection, leaving, isFollowing) = book.withLock { book -> (Connection?, Connection?, Bool) in
      guard let arrival = book.table.arrive(from: address) else { return (nil, nil, false) }
      let connection = Connection(arrival.id, channel)
      book.connections[arrival.id] = connection
      book.ids[ObjectIdentifier(channel)] = arrival.id
      return (connection, arrival.leaving.flatMap { book.forget($0.id) }, arrival.leaving?.isFollowing == true)
    }
    if let leaving { isFollowing ? displace(leaving) : cut(leaving.channel, .displaced) }
    guard let connection else {
      gauges.cut(.refused)
      return nil
    }
    channel.closeFuture.whenComplete { [weak self] _ in self?.leave(connection) }
    return connection
  }

  /// Bytes of an address that are counted together: all of version 4, the first 64 bits of version 6.
  ///
  /// A household or a machine has a whole 64-bit network of version 6.
  static func network(of peer: IPAddress) -> [UInt8] { Array(peer.bytes.prefix(peer.isVersion4 ? 4 : 8)) }

  /// Number of connections whose requests are being answered.
  var answering: Int { book.withLock { $0.table.answering } }

  /// The connection of a channel; nil once it has closed.
  func connection(of channel: any Channel) -> Connection? {
    book.withLock { book in book.ids[ObjectIdentifier(channel)].flatMap { book.connections[$0] } }
  }

  /// Notes that a request is being answered; meanwhile the connection can't be displaced.
  func work(_ connection: Connection) {
    let isPlaced = book.withLock { $0.table.work(connection.id) }
    connection.work(isReserved: !isPlaced)
  }

  /// Notes the holder of the request.
  ///
  /// - Throws: `requests-too-many` if the holder has reached its limit.
  func identify(_ connection: Connection, as holder: String) throws(Problem) {
    guard book.withLock({ $0.table.identify(connection.id, as: holder) }) else {
      gauges.rejected("requests-too-many")
      throw Problem(
        429, "requests-too-many", "\(bounds.mostOfHolder) requests of this caller are in progress", retryAfter: 1)
    }
  }

  /// Notes that a connection waits for news of a render; from now on it may be displaced when its place is needed.
  func follow(_ connection: Connection) {
    let leaving = book.withLock { book in book.table.follow(connection.id).flatMap { book.forget($0.id) } }
    if let leaving { displace(leaving) }
  }

  /// Ends a connection that waits for news after informing its client; one that doesn't read is closed at once.
  private func displace(_ connection: Connection) {
    gauges.cut(.displaced)
    connection.giveWay()
    let channel = connection.channel
    guard channel.isWritable else { return channel.close(promise: nil) }
    channel.eventLoop.scheduleTask(in: TimeAmount(bounds.farewell)) { channel.close(promise: nil) }
  }

  /// Notes that the answer is complete.
  func rest(_ connection: Connection) {
    connection.rest()
    book.withLock { $0.table.rest(connection.id) }
  }

  /// Counts a connection as cut and closes it.
  func cut(_ channel: any Channel, _ reason: ConnectionCut) {
    noteCut(reason)
    channel.close(promise: nil)
  }

  /// Counts a connection that is being closed.
  func noteCut(_ reason: ConnectionCut) { gauges.cut(reason) }

  private func leave(_ connection: Connection) {
    book.withLock { book in
      book.table.leave(connection.id)
      _ = book.forget(connection.id)
    }
  }
}

extension IPAddress {
  /// The address of the peer; nil if it has none, as with a local socket.
  init?(of address: SocketAddress?) {
    guard let text = address?.ipAddress else { return nil }
    // A zone belongs to the machine and not to the address, and so does the way in which version 6 carries version 4.
    let plain = text.prefix { $0 != "%" }
    self.init(plain.hasPrefix("::ffff:") && plain.contains(".") ? plain.dropFirst(7) : plain)
  }
}
