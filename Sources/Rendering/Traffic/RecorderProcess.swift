internal import Core
internal import Engine
internal import Files
internal import Foundation
internal import Glibc
internal import Hosting
internal import Recordings
internal import WebKitRuntime

/// Program that a render's requests pass through to be recorded, replayed or slowed down.
///
/// It terminates TLS, which is why it is a process of its own: its keys are never in the worker's memory. It ends with
/// its standard input, and so with the worker.
@EngineActor final class RecorderProcess {
  /// File name of the program, which is in the worker's folder.
  private nonisolated static let name = "galley-recorder"
  /// Machine time that the recorder may take to start and to write the rest.
  private nonisolated static let patience = Duration.seconds(10)

  /// Port on 127.0.0.1 at which pages reach the recorder; connections made before it has started wait there.
  let port: Int
  private let socket: OpenSocket
  private let hear: @EngineActor (RecorderEvent) -> Void
  private var watch: FileWatch?
  /// Beginning of a line whose end hasn't arrived yet.
  private var begun: [UInt8] = []
  private var room = [UInt8](repeating: 0, count: 65_536)
  private var isOver = false

  private init(socket: OpenSocket, port: Int, hear: @escaping @EngineActor (RecorderEvent) -> Void) {
    self.socket = socket
    self.port = port
    self.hear = hear
    watch = FileWatch(socket.descriptor) { [weak self] in self?.read() }
  }

  /// Starts the recorder with this setup; `hear` receives all its events, in order.
  static func start(
    in folder: String?, _ setup: RecorderSetup, hear: @escaping @EngineActor (RecorderEvent) -> Void
  ) throws(Fault) -> RecorderProcess {
    let program = "\(folder ?? ".")/\(name)"
    guard access(program, X_OK) == 0 else {
      throw .engine("recorder-missing", "\(name) is missing: install it beside galley-worker")
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
    let recorder = RecorderProcess(socket: socket, port: listener.port, hear: hear)
    recorder.say(((try? JSONText.bytes(setup)) ?? []) + [UInt8(ascii: "\n")])
    return recorder
  }

  /// Sends a request to the recorder; a lost recorder is noticed by the end of its output.
  func tell(_ request: RecorderRequest) { say(request.line) }

  /// Closes the output to the recorder, which lets it end.
  func end() {
    guard !isOver else { return }
    isOver = true
    shutdown(socket.descriptor, Int32(SHUT_WR))
  }

  private func say(_ line: [UInt8]) {
    guard !isOver else { return }
    try? FileWriting.writeAll(line, to: socket.descriptor)
  }

  /// Reads the lines that have arrived, or notices the recorder's end.
  private func read() {
    let count = recv(socket.descriptor, &room, room.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      watch?.end()
      return hear(.ended)
    }
    begun += room[..<count]
    var lines = begun.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    begun = lines.popLast().map { Array($0) } ?? []
    for line in lines {
      if let event = RecorderEvent(line: line) { hear(event) }
    }
  }
}

/// Socket that stays open as long as it is referenced, so that its descriptor isn't reused meanwhile.
final class OpenSocket: Sendable {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }
}

/// Socket at which pages reach a recorder, opened before the recorder itself has started.
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
