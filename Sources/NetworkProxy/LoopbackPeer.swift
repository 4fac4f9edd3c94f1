internal import Core
internal import Glibc
package import NIOCore

/// Check of the user at the other end of a loopback connection, by the kernel's table of connections.
///
/// Every user of the machine can reach ports on the loopback; those of a render are only for its own programs.
package enum LoopbackPeer {
  /// Indicates if the program at the other end runs under this program's user; true if the kernel provides no table.
  package static func isOwn(_ channel: any Channel) -> Bool {
    guard let own = endpoint(channel.localAddress), let peer = endpoint(channel.remoteAddress) else { return false }
    // The whole table takes the kernel milliseconds, for each connection.
    if let user = SocketOwner.user(of: channel.remoteAddress, connectedTo: channel.localAddress) {
      return user == geteuid()
    }
    // The kernel writes the table a page at a time: a line may be left out while others come and go.
    for _ in 0..<mostReads {
      let table: [UInt8]
      do throws(FileReadingError) {
        table = try FileReading.regular("/proc/net/tcp", most: largestTable)
      } catch {
        if case .tooLarge = error { return false }
        return true
      }
      if let user = user(of: peer, connectedTo: own, in: table) { return user == geteuid() }
    }
    return false
  }

  /// Maximum number of reads of the table for a connection that isn't in it.
  private static let mostReads = 5

  /// Maximum number of bytes of the table: about 400,000 connections.
  private static let largestTable = 64 << 20

  /// Closes a connection from another user's program before anything is read from it; otherwise calls `setUp`.
  package static func admit(_ channel: any Channel, _ setUp: () throws -> Void) -> EventLoopFuture<Void> {
    guard isOwn(channel) else { return channel.close() }
    return channel.eventLoop.makeCompletedFuture { try setUp() }
  }

  /// Returns the user whose socket is at one end of a connection; nil for a connection that isn't in the table.
  static func user(of end: String, connectedTo other: String, in table: [UInt8]) -> UInt32? {
    let ends = Array(" \(end) \(other) ".utf8)
    guard let place = first(ends, in: table) else { return nil }
    let fields = table[place...].prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
    // Both ends, the state, the queues, the timer, what was sent again.
    return fields.count > 6 ? UInt32(String(decoding: fields[6], as: UTF8.self)) : nil
  }

  /// Returns the offset of the first occurrence of bytes in others; nil if they don't occur.
  private static func first(_ wanted: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= wanted.count else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      for place in 0...(bytes.count - wanted.count) where bytes[place] == wanted[0] {
        if memcmp(start + place, wanted, wanted.count) == 0 { return place }
      }
      return nil
    }
  }

  /// Returns an IPv4 address and its port in the table's form, such as `0100007F:1F90`; nil for any other.
  private static func endpoint(_ address: SocketAddress?) -> String? {
    guard let text = address?.ipAddress, let number = IPAddress(text), number.isVersion4,
      let port = address?.port.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    return endpoint(number.bytes.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }.bigEndian, port)
  }

  /// Returns an address in network byte order and a port in the machine's order, in the table's form.
  static func endpoint(_ address: UInt32, _ port: UInt16) -> String { "\(hex(address, 8)):\(hex(UInt32(port), 4))" }

  private static func hex(_ number: UInt32, _ width: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
