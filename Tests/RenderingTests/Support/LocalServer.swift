import Foundation
import Glibc
import Synchronization

/// Small web server on this machine, for creatives given as an address.
final class LocalServer: Sendable {
  struct Request: Sendable {
    var path: String
    /// Headers by names in lower case.
    var headers: [String: String]
  }

  struct Response: Sendable {
    var status = 200
    var type = "text/html"
    var headers: [String: String] = [:]
    var body: String
    /// Timing of the answer: at once unless set otherwise.
    var manner = Manner.atOnce
  }

  enum Manner: Sendable {
    case atOnce
    /// The answer is sent this many seconds after the request.
    case late(Double)
    /// The answer begins at once and never ends.
    case endless
    /// No answer is sent, and the connection stays open.
    case never
  }

  struct StartError: Error {}

  private let socket: Int32
  private let port: UInt16
  private let log = Mutex<[Request]>([])

  /// Answers each path with `answer`, on threads of its own.
  init(_ answer: @escaping @Sendable (String) -> Response) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, size) = (socket, length)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw StartError() }
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        Thread.detachNewThread { [weak self] in
          Self.serve(client, self, answer)
          close(client)
        }
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  /// Returns the address of a path.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Returns an address on which no server listens any more.
  static func refusedAddress() throws -> String { try LocalServer { _ in Response(body: "") }.url("/") }

  /// All requests so far.
  var requests: [Request] { log.withLock { $0 } }

  private static func serve(_ client: Int32, _ server: LocalServer?, _ answer: (String) -> Response) {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while !text.contains("\r\n\r\n") {
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { return }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let lines = text.components(separatedBy: "\r\n")
    let path = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? "/"
    let headers = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    server?.log.withLock { $0.append(Request(path: path, headers: Dictionary(headers) { $1 })) }
    let response = answer(path)
    switch response.manner {
    case .atOnce, .endless: break
    case .late(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .never: return waitForEnd(of: client)
    }
    var head = "HTTP/1.1 \(response.status) X\r\nContent-Type: \(response.type)\r\nConnection: close\r\n"
    if case .endless = response.manner {} else { head += "Content-Length: \(response.body.utf8.count)\r\n" }
    for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
    let bytes = Array((head + "\r\n" + response.body).utf8)
    _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if case .endless = response.manner { waitForEnd(of: client) }
  }

  /// Waits until the client has closed the connection.
  private static func waitForEnd(of client: Int32) {
    var byte: UInt8 = 0
    while read(client, &byte, 1) > 0 {}
  }
}
