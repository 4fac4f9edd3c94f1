import Foundation
import Synchronization

/// A web server on this machine that answers as a test says.
final class LoopbackServer: Sendable {
  struct Answer: Sendable {
    var status = "200 OK"
    var type = "text/html"
    var location: String?
    var body = ""
  }

  let address: String
  private let listener: Int32
  private let desk: Desk

  /// `answer` gets the path and the how-manieth request for it this is, from 1; one that it gives nil is left waiting.
  init(_ answer: @escaping @Sendable (_ path: String, _ time: Int) -> Answer?) throws {
    let (listener, port) = try Self.listen()
    let desk = Desk(answer)
    self.listener = listener
    self.desk = desk
    address = "http://127.0.0.1:\(port)"
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { Self.serve(connection, desk) }
      }
    }
  }

  deinit {
    // Ends the waiting `accept`.
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// How often it was asked for anything.
  var requestCount: Int { desk.count }

  /// Returns once this path has been asked for.
  func awaitRequest(_ path: String) async {
    for await asked in desk.requests where asked == path { return }
  }

  private static func serve(_ connection: Int32, _ desk: Desk) {
    if let answer = desk.answer(path(head(connection))) {
      let bytes = Array(text(answer).utf8)
      _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      shutdown(connection, Int32(SHUT_WR))
    }
    // Until the client has had enough.
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
    close(connection)
  }

  private static func head(_ connection: Int32) -> String {
    var head = ""
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !head.contains("\r\n\r\n") {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      head += String(decoding: chunk[..<count], as: UTF8.self)
    }
    return head
  }

  /// Without the query.
  private static func path(_ head: String) -> String {
    let target = head.split(separator: " ").dropFirst().first ?? "/"
    return String(target.prefix { $0 != "?" })
  }

  private static func text(_ answer: Answer) -> String {
    let location = answer.location.map { "Location: \($0)\r\n" } ?? ""
    let length = "Content-Length: \(answer.body.utf8.count)\r\nConnection: close\r\n\r\n"
    return "HTTP/1.1 \(answer.status)\r\nContent-Type: \(answer.type)\r\n\(location)\(length)\(answer.body)"
  }

  private static func listen() throws -> (listener: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && Foundation.listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}

/// Counts the requests, tells of them and has them answered.
private final class Desk: Sendable {
  /// The path of every request, in the order they came.
  let requests: AsyncStream<String>
  private let request: AsyncStream<String>.Continuation
  private let counts = Mutex<[String: Int]>([:])
  private let respond: @Sendable (_ path: String, _ time: Int) -> LoopbackServer.Answer?

  init(_ respond: @escaping @Sendable (_ path: String, _ time: Int) -> LoopbackServer.Answer?) {
    self.respond = respond
    (requests, request) = AsyncStream.makeStream()
  }

  var count: Int { counts.withLock { $0.values.reduce(0, +) } }

  func answer(_ path: String) -> LoopbackServer.Answer? {
    let time = counts.withLock { counts in
      counts[path, default: 0] += 1
      return counts[path] ?? 1
    }
    defer { request.yield(path) }
    return respond(path, time)
  }
}
