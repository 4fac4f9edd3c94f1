internal import Core
internal import Glibc
internal import NIOCore

/// User of a socket on this machine, according to the kernel's `sock_diag(7)`.
enum SocketOwner {
  /// `NETLINK_SOCK_DIAG`, `SOCK_DIAG_BY_FAMILY`, and the length and offset of the fields read from the answer.
  private static let (family, request) = (Int32(4), UInt16(20))
  private static let (answerLength, placeOfUser) = (88, 80)

  /// Returns the user whose socket is at one end of an IPv4 connection; nil if the kernel doesn't report it.
  static func user(of end: SocketAddress?, connectedTo other: SocketAddress?) -> UInt32? {
    guard let source = place(end), let target = place(other) else { return nil }
    let socket = Glibc.socket(AF_NETLINK, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), family)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    let question = message(source, target)
    guard send(socket, question, question.count, 0) == question.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 512)
    let count = recv(socket, &answer, answer.count, Int32(MSG_DONTWAIT))
    // An error has another type, and no user.
    guard count >= answerLength, word(answer, 4) & 0xFFFF == UInt32(request) else { return nil }
    return word(answer, placeOfUser)
  }

  /// Returns an address and its port in network byte order; nil for any but an IPv4 address.
  private static func place(_ address: SocketAddress?) -> (port: [UInt8], address: [UInt8])? {
    guard let text = address?.ipAddress, let number = IPAddress(text), number.isVersion4,
      let port = address?.port.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    return ([UInt8(port >> 8), UInt8(port & 255)], number.bytes)
  }

  /// Returns `nlmsghdr`, then `inet_diag_req_v2` for one TCP socket in any state.
  private static func message(
    _ source: (port: [UInt8], address: [UInt8]), _ target: (port: [UInt8], address: [UInt8])
  ) -> [UInt8] {
    let rest = [UInt8](repeating: 0, count: 12)
    let any = [UInt8](repeating: 255, count: 4)
    let body =
      [UInt8(AF_INET), UInt8(IPPROTO_TCP), 0, 0] + any + source.port + target.port + source.address + rest
      + target.address + rest + bytes(0) + any + any
    return bytes(UInt32(16 + body.count)) + bytes(UInt32(request) | 1 << 16) + bytes(1) + bytes(0) + body
  }

  /// Returns a number's bytes in the machine's order, lowest first.
  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }
}
