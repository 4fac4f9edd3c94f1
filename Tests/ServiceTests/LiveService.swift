import Foundation
import TestFolders

@testable import Service

/// HTTP side of a server, on a port of its own; it renders nothing.
struct LiveService {
  let service: WebService
  let port: Int

  /// Runs a server during `work`.
  static func during(
    _ scratch: TestFolder? = nil, _ change: (inout ServiceSettings) -> Void = { _ in },
    _ work: @escaping @Sendable (LiveService) async throws -> Void
  ) async throws {
    let (addresses, address) = AsyncStream.makeStream(of: String.self)
    // Its folder stays as long as it runs.
    let scratch = try scratch ?? TestFolder()
    defer { withExtendedLifetime(scratch) {} }
    let service = try await WebService.sample(scratch, change, ready: { address.yield($0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      group.addTask {
        for await text in addresses {
          let port = text.split(separator: ":").last.flatMap { Int($0) } ?? 0
          return try await work(LiveService(service: service, port: port))
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Sends one request on its own connection; returns the answer's head and body as received.
  func ask(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: String = "",
    from address: String = "127.0.0.1"
  ) async throws -> String {
    let wire = try Wire(port, from: address)
    let own = ["Host": "127.0.0.1:\(port)", "Content-Length": "\(body.utf8.count)", "Connection": "close"]
    let lines = own.merging(headers) { $1 }.map { "\($0): \($1)\r\n" }.joined()
    wire.say("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body)")
    return await wire.hear()
  }
}

/// Minimal client end of a connection; reading and writing happen on threads of their own.
final class Wire: Sendable {
  private let socket: Int32

  /// Connects to a server on this machine, from an address such as 127.0.0.2.
  init(_ port: Int, from address: String = "127.0.0.1") throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard Self.with(address, 0, { bind(socket, $0, $1) }) == 0,
      Self.with("127.0.0.1", UInt16(port), { connect(socket, $0, $1) }) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    // Who hears nothing for so long fails instead of waiting for ever.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Sends as much as fits at once; returns false if the other side has closed.
  @discardableResult func say(_ text: String) -> Bool {
    send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) >= 0
  }

  /// Closes the sending side.
  func hangUp() { shutdown(socket, Int32(SHUT_WR)) }

  /// Returns the data received until the other side closes, or sends `end`.
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

/// Server on this machine that accepts one connection after the other, reports requests, and answers all alike.
final class Listener: Sendable {
  /// Complete request of every connection, after it has ended or been answered.
  let requests: AsyncStream<String>
  /// One element for every connection that its other side has closed.
  let ends: AsyncStream<Void>
  let port: Int
  private let socket: Int32
  private let request: AsyncStream<String>.Continuation

  /// Starts a listener that sends `answer` unchanged; nil leaves clients waiting.
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

  /// Returns the first request so far; nil for none.
  func received() async -> String? {
    request.finish()
    return await requests.first { _ in true }
  }

  /// Reads the head, and a body of the length that the head declares.
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
