import Foundation
import Synchronization
import Testing

/// Started `galley serve`, and requests to it; it ends with the test.
final class RunningServer: Sendable {
  typealias Answer = HTTPRequest.Answer

  let program: RunningProgram
  /// Program that renders for it: the server itself, or a separate worker.
  let renderer: RunningProgram
  let address: String

  /// Address of the queue that servers use to render elsewhere; nil unless the test run names one.
  private static let queue = ProcessInfo.processInfo.environment["GALLEY_TEST_QUEUE"]
  /// Indicates if servers render through a queue.
  static var isShared: Bool { queue != nil }

  /// Starts a server with the program's folder `data` and returns once it accepts calls.
  ///
  /// With `disk` that folder is a file system of that many bytes, which only the server and `/proc` see.
  init(_ program: Program, _ options: String = "", jobs: Int = 1, disk: String? = nil) async throws {
    // Servers that follow each other over the same folder have the same queue.
    let name = program.folder.filter { $0.isHexDigit }.suffix(12)
    let queue = Self.queue.map { "--queue \($0) --queue-name t\(name)" } ?? ""
    let serve =
      "exec \"$GALLEY\" serve --port 0 --data data --jobs \(jobs) --allow-unsandboxed --json \(options) \(queue)"
    let mounted = disk.map {
      "mkdir data; exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=\($0) tmpfs data && \(serve)'"
    }
    self.program = try program.start(mounted ?? serve)
    renderer =
      try Self.queue.map { _ in
        let network = options.contains("--allow-private-network") ? "--allow-private-network" : ""
        let drain = options.firstMatch(of: /--drain \S+/).map { String($0.output) } ?? ""
        return try program.start(
          "exec \"$GALLEY\" work --jobs \(jobs) --allow-unsandboxed \(queue) \(network) \(drain)")
      } ?? self.program
    address = try await Self.address(of: self.program)
  }

  /// Returns the address of a server after it has printed it.
  static func address(of program: RunningProgram) async throws -> String {
    let document = try JSONSerialization.jsonObject(with: Data(try await program.firstLine().utf8)) as? [String: String]
    return try #require(document?["address"])
  }

  deinit {
    program.stop()
    if Self.isShared { renderer.stop() }
  }

  func send(
    _ method: String, _ path: String, _ json: [String: Any]? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    try await Self.send(method, address + path, json, headers: headers)
  }

  /// Sends a request to a full address.
  static func send(
    _ method: String, _ address: String, _ json: [String: Any]? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = HTTPRequest(method: method, address: address, headers: headers)
    if let json {
      request.body = try JSONSerialization.data(withJSONObject: json)
      request.headers["Content-Type"] = "application/json"
    }
    return try await request.answer()
  }

  /// Requests a render and waits for its result.
  func render(_ json: [String: Any], headers: [String: String] = [:]) async throws -> Answer {
    try await send("POST", "/v1/renders", json, headers: headers.merging(["Prefer": "wait=80"]) { own, _ in own })
  }

  /// Waits until a render has ended, according to its live events.
  func ended(_ id: String) async throws -> Answer {
    _ = try await send("GET", "/v1/renders/\(id)/events", headers: ["Accept": "text/event-stream"])
    return try await send("GET", "/v1/renders/\(id)")
  }
}

/// Parts of a server's answer that tests read.
extension HTTPRequest.Answer {
  var text: String { String(decoding: body, as: UTF8.self) }
  var json: [String: Any] { ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any]) ?? [:] }
  var code: String? { json["code"] as? String }
  var id: String { json["id"] as? String ?? "" }
  var renderStatus: String? { json["status"] as? String }
}

/// Web server on this machine with answers that a test defines.
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

  /// Starts a server. `answer` gets the path and the number of its requests so far, this one included; nil leaves it
  /// waiting.
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

  /// Number of requests so far.
  var requestCount: Int { desk.count }

  /// Returns a header of the last request for a path.
  func header(_ name: String, of path: String) -> String? {
    let line = desk.head(of: path)?.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix(name.lowercased() + ":")
    }
    return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  /// Waits until this path has been requested.
  func awaitRequest(_ path: String) async {
    for await asked in desk.requests where asked == path { return }
  }

  private static func serve(_ connection: Int32, _ desk: Desk) {
    let request = head(connection)
    desk.note(request, of: path(request))
    if let answer = desk.answer(path(request)) {
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

  /// Returns the path of a request without the query.
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

/// Counter of the requests, which reports and answers them.
private final class Desk: Sendable {
  /// Paths of all requests, in the order in which they arrived.
  let requests: AsyncStream<String>
  private let request: AsyncStream<String>.Continuation
  private let counts = Mutex<[String: Int]>([:])
  private let heads = Mutex<[String: String]>([:])
  private let respond: @Sendable (_ path: String, _ time: Int) -> LoopbackServer.Answer?

  init(_ respond: @escaping @Sendable (_ path: String, _ time: Int) -> LoopbackServer.Answer?) {
    self.respond = respond
    (requests, request) = AsyncStream.makeStream()
  }

  func note(_ head: String, of path: String) { heads.withLock { $0[path] = head } }

  func head(of path: String) -> String? { heads.withLock { $0[path] } }

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

/// Ad that expands, looks the same in two screenshots, and closes.
enum ExpandingAd {
  /// Returns the page; its default state has the colour, and its expanded state has none of it.
  static func page(_ color: String) -> String {
    """
    <!doctype html><meta name="ad.size" content="width=300,height=100"><script src="mraid.js"></script>
    <style>html, body { margin: 0; height: 100% } body { background: \(color) }</style>
    <body onclick="mraid.expand()"><script>
    mraid.addEventListener('stateChange', function (state) {
      document.body.style.background = state === 'expanded' ? '#fff' : '\(color)'
    })
    </script>
    """
  }

  static let scenario = """
    - wait: {event: ready}
    - tap: body
    - wait: {state: expanded}
    - screenshot: open
    - close
    """
}

/// Zip of stored entries, each an `a`, with headers that may be false.
enum StoredZip {
  /// Returns a zip of these names; `declared` is the uncompressed size in every entry's header.
  static func of(_ names: [String], declared: UInt32 = 1) -> Data {
    var files = Data()
    var directory = Data()
    for name in names {
      let facts =
        words(20, 0, 0, 0, 0) + [0x43, 0xBE, 0xB7, 0xE8] + long(1) + long(declared) + words(UInt16(name.utf8.count), 0)
      directory += Data("PK\u{1}\u{2}".utf8) + words(20) + facts + words(0, 0, 0) + long(0) + long(UInt32(files.count))
      directory += Data(name.utf8)
      files += Data("PK\u{3}\u{4}".utf8) + facts + Data((name + "a").utf8)
    }
    let count = UInt16(names.count)
    let end = words(0, 0, count, count) + long(UInt32(directory.count)) + long(UInt32(files.count)) + words(0)
    return files + directory + Data("PK\u{5}\u{6}".utf8) + end
  }

  private static func words(_ values: UInt16...) -> Data {
    Data(values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  private static func long(_ value: UInt32) -> Data { words(UInt16(value & 0xFFFF), UInt16(value >> 16)) }
}
