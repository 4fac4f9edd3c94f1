import Foundation

/// A client's end of a connection, as bare as it gets; reading and writing happen on threads of their own.
final class Wire: Sendable {
  private let socket: Int32

  /// Connects to a server on this machine, by an address of its own such as 127.0.0.2.
  init(_ port: Int, from address: String = "127.0.0.1") throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard Self.with(address, 0, { bind(socket, $0, $1) }) == 0,
      Self.with("127.0.0.1", UInt16(port), { connect(socket, $0, $1) }) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(socket) }

  /// Sends what fits at once; false when the other side has closed.
  @discardableResult func say(_ text: String) -> Bool {
    send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) >= 0
  }

  /// Sends nothing more.
  func hangUp() { shutdown(socket, Int32(SHUT_WR)) }

  /// What comes until the other side closes, or until it says `end`.
  func hear(until end: String? = nil) async -> String {
    await withCheckedContinuation { heard in
      Thread.detachNewThread { [socket] in
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = recv(socket, &chunk, chunk.count, 0)
          guard count > 0 else { break }
          bytes += chunk[..<count]
          if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
        }
        heard.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  private static func with(
    _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
