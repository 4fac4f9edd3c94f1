import Foundation

/// Takes one connection after the other on this machine, tells what came, and answers all alike.
final class Listener: Sendable {
  /// What every connection brought, whole, once it has ended or been answered.
  let requests: AsyncStream<String>
  /// Tells of every connection that its other side has ended it.
  let ends: AsyncStream<Void>
  let port: Int
  private let socket: Int32
  private let request: AsyncStream<String>.Continuation

  /// `answer` is sent as it is; nil leaves whoever asks waiting.
  init(_ answer: String?) throws {
    let (socket, port) = try Self.listen()
    (self.socket, self.port) = (socket, port)
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    (self.requests, self.request, self.ends) = (requests, request, ends)
    Thread.detachNewThread {
      while case let connection = accept(socket, nil, nil), connection >= 0 {
        request.yield(Self.request(connection))
        if let answer { _ = send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL)) }
        if answer != nil { shutdown(connection, Int32(SHUT_WR)) }
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
        close(connection)
        end.yield()
      }
    }
  }

  deinit {
    // Ends the waiting `accept`.
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  /// The first request that came so far, nil for none.
  func received() async -> String? {
    request.finish()
    return await requests.first { _ in true }
  }

  /// The head, and the body as long as the head says.
  private static func request(_ connection: Int32) -> String {
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      let length = text.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
      if parts.count == 2, parts[1].utf8.count >= length { return text }
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return text }
      text += String(decoding: chunk[..<count], as: UTF8.self)
    }
  }

  private static func listen() throws -> (Int32, Int) {
    let listener = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && Foundation.listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard listens else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }
}
