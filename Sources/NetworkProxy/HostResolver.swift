package import Core
internal import Glibc
package import NIOCore
internal import NIOPosix

/// Resolves hosts as the machine does: by name or by any spelling of an address that C accepts.
package struct HostResolver: Sendable {
  private let ask: @Sendable (_ host: String, _ port: Int) -> [SocketAddress]

  /// Creates a resolver that asks the machine, or calls `ask`.
  package init(
    ask: @escaping @Sendable (_ host: String, _ port: Int) -> [SocketAddress] = { Self.lookUp($0, $1) }
  ) {
    self.ask = ask
  }

  /// Returns the addresses in the order in which the machine would try them; none if the name isn't known.
  package func addresses(of host: String, port: Int, on loop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
    // The threads that may block are made for the first who asks: where nothing but some blocks may be spoken to, nobody does.
    NIOThreadPool.singleton.runIfActive(eventLoop: loop) { ask(host, port) }
  }

  /// Returns the addresses of a number in any spelling, or of `localhost`; none for other names.
  package static func addresses(ofNumber host: String, port: Int) -> [SocketAddress] {
    let numbers = host.lowercased() == "localhost" ? ["127.0.0.1", "::1"] : [host]
    return numbers.flatMap { lookUp($0, port, flags: AI_NUMERICHOST) }
  }

  /// Resolves a host with the machine's resolver, which may ask a server.
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
  /// Converts a socket's address; nil for one in the file system.
  package init?(_ address: SocketAddress) {
    // By its text: which module has the members of C's structures depends on who was imported first.
    guard let text = address.ipAddress else { return nil }
    self.init(text)
  }
}
