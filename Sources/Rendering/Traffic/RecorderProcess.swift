internal import Core
internal import Files
internal import Foundation
internal import Glibc
internal import Recordings
internal import WebKitRuntime

/// The program that a render's requests go through where they are recorded, replayed or slowed down.
///
/// It ends and begins TLS, which is why it is a process of its own: no key of it is ever in the worker's memory. It ends
/// with its standard input, and so with the worker.
@WebKitActor final class RecorderProcess {
  /// The program beside the worker's.
  private nonisolated static let name = "galley-recorder"
  /// How long it may take to begin and to write what is left, of the machine's time.
  private nonisolated static let patience = Duration.seconds(10)

  /// Where pages reach it on 127.0.0.1; who comes before it has begun waits there.
  let port: Int
  private let socket: OpenSocket
  private var isOver = false

  private init(socket: OpenSocket, port: Int) {
    self.socket = socket
    self.port = port
  }

  /// Starts it and says what to do; `hear` gets all it says, in order.
  static func start(
    in folder: String?, _ setup: RecorderSetup, hear: @escaping @WebKitActor (RecorderEvent) -> Void
  ) throws(Fault) -> RecorderProcess {
    let program = "\(folder ?? ".")/\(name)"
    guard access(program, X_OK) == 0 else {
      throw .engine("recorder-missing", "\(name) has to stand beside galley-worker, and isn't there")
    }
    var ends: [Int32] = [-1, -1]
    // No program that starts at the same moment inherits them.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .engine("recorder-failed", "no socket to \(name): \(SystemError(errno))")
    }
    defer { close(ends[1]) }
    let socket = OpenSocket(ends[0])
    let listener = try RecorderListener.open()
    try withExtendedLifetime(listener) { () throws(Fault) in
      try RecorderNursery.order(program, words: ends[1], listener: listener.socket.descriptor)
    }
    let (events, continuation) = AsyncStream<RecorderEvent>.makeStream()
    Thread.detachNewThread { read(socket, into: continuation) }
    let recorder = RecorderProcess(socket: socket, port: listener.port)
    recorder.say(((try? JSONText.bytes(setup)) ?? []) + [UInt8(ascii: "\n")])
    Task { @WebKitActor in
      for await event in events { hear(event) }
      hear(.ended)
    }
    return recorder
  }

  /// Tells it something; it may be gone, which its end tells.
  func tell(_ request: RecorderRequest) { say(request.line) }

  /// Lets it end.
  func end() {
    guard !isOver else { return }
    isOver = true
    shutdown(socket.descriptor, Int32(SHUT_WR))
  }

  private func say(_ line: [UInt8]) {
    guard !isOver else { return }
    try? FileWriting.writeAll(line, to: socket.descriptor)
  }

  /// Reads lines until it ends.
  private nonisolated static func read(
    _ socket: OpenSocket, into events: AsyncStream<RecorderEvent>.Continuation
  ) {
    var room = [UInt8](repeating: 0, count: 65_536)
    var rest = Data()
    while true {
      let count = Glibc.read(socket.descriptor, &room, room.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += room[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if let event = RecorderEvent(line: rest[..<end]) { events.yield(event) }
        rest.removeSubrange(...end)
      }
    }
    events.finish()
  }
}

/// A socket that is open as long as anybody has it, so that its number isn't another's meanwhile.
final class OpenSocket: Sendable {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }
}

/// The socket at which pages reach a recorder, open before the recorder itself has begun.
private struct RecorderListener {
  let socket: OpenSocket
  let port: Int

  static func open() throws(Fault) -> RecorderListener {
    let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw failure() }
    let open = OpenSocket(listener)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let problem = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) | listen(listener, 128) | getsockname(listener, address, &size)
      }
    }
    guard problem == 0 else { throw failure() }
    return RecorderListener(socket: open, port: Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func failure() -> Fault {
    .engine("recorder-failed", "no socket for a recorder: \(SystemError(errno))")
  }
}
