package import Core
internal import Glibc
package import NIOCore
internal import NIOPosix

/// Finds the addresses of a host, as the machine does: by name or by any spelling of an address that C takes.
package struct HostResolver: Sendable {
  private let ask: @Sendable (_ host: String, _ port: Int) -> [SocketAddress]

  /// A resolver that asks the machine, or whoever `ask` is.
  package init(
    ask: @escaping @Sendable (_ host: String, _ port: Int) -> [SocketAddress] = { Self.lookUp($0, $1) }
  ) {
    self.ask = ask
  }

  /// The addresses in the order the machine would try them; none when the name isn't known.
  package func addresses(of host: String, port: Int, on loop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
    // The threads that may block are made for the first who asks: where nothing but some blocks may be spoken to, nobody does.
    NIOThreadPool.singleton.runIfActive(eventLoop: loop) { ask(host, port) }
  }

  /// The addresses that a host is by itself: a number by any spelling, or this machine's own name; none for other names.
  package static func addresses(ofNumber host: String, port: Int) -> [SocketAddress] {
    let numbers = host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [host]
    return numbers.flatMap { lookUp($0, port, flags: AI_NUMERICHOST) }
  }

  /// As the machine answers, which may ask a server.
  package static func lookUp(_ host: String, _ port: Int, flags: Int32 = 0) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_flags = flags
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var answer: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &answer)
    guard status == 0 else { return [] }
    defer { freeaddrinfo(answer) }
    return sequence(first: answer) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
      entry.flatMap { address(of: $0.pointee) }
    }
  }

  private static func address(of entry: addrinfo) -> SocketAddress? {
    guard let address = entry.ai_addr else { return nil }
    return switch entry.ai_family {
    case AF_INET: SocketAddress(address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee })
    case AF_INET6: SocketAddress(address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee })
    default: nil
    }
  }
}

extension IPAddress {
  /// The address of a socket's; nil for one in the file system.
  package init?(_ address: SocketAddress) {
    // By its text: which module has the members of C's structures depends on who was imported first.
    guard let text = address.ipAddress else { return nil }
    self.init(text)
  }
}
