internal import Core
internal import Foundation
internal import Glibc
internal import Synchronization

/// A real server of NATS on a free port of this machine, with a store of its own; both are gone with it.
package final class NatsTestServer: Sendable {
  private let folder: String
  private let arguments: [String]
  private let process = Mutex<pid_t>(0)
  private let boundPort = Mutex<Int>(0)

  /// Starts one; `configuration` is what stands in its file beside the store.
  package static func start(_ configuration: String = "") async throws -> NatsTestServer {
    let server = try NatsTestServer(configuration)
    try await server.start()
    return server
  }

  private init(_ configuration: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "galley-nats-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = "\(folder)/nats.conf"
    try Data(configuration.utf8).write(to: URL(filePath: file))
    arguments = ["-c", file, "-a", "127.0.0.1", "-js", "-sd", "\(folder)/store", "--ports_file_dir", folder]
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  package var port: Int { boundPort.withLock { $0 } }
  package var address: String { "nats://127.0.0.1:\(port)" }

  /// Starts it again, on the port that it had.
  package func start() async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/sbin/nats-server")
    process.arguments = arguments + ["-p", "\(port == 0 ? Self.freePort() : port)"]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    let id = process.processIdentifier
    self.process.withLock { $0 = id }
    try await listen(to: id)
  }

  /// Waits until it reports its port, on a thread of its own, since other tests may block those of tasks for seconds.
  private func listen(to id: pid_t) async throws {
    let file = "\(folder)/nats-server_\(id).ports"
    let port = await withCheckedContinuation { found in
      Thread.detachNewThread { found.resume(returning: Self.port(in: file, within: .seconds(20))) }
    }
    guard let port else { throw Fault.engine("nats-failed", "the server of NATS doesn't listen") }
    boundPort.withLock { $0 = port }
  }

  private static func port(in file: String, within time: Duration) -> Int? {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      if let port = port(in: file), answers(port) { return port }
      usleep(10_000)
    }
    return nil
  }

  private static func port(in file: String) -> Int? {
    struct Ports: Decodable { let nats: [String] }
    guard let data = FileManager.default.contents(atPath: file),
      let ports = try? JSONDecoder().decode(Ports.self, from: data)
    else { return nil }
    return ports.nats.first?.split(separator: ":").last.flatMap { Int($0) }
  }

  private static func answers(_ port: Int) -> Bool { call(connect, port) }

  /// Returns a port that nobody listens on, or -1 for any.
  ///
  /// It is below those that the system gives away by itself, so that nobody takes it while a server is restarted.
  private static func freePort() -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 20_000..<32_000)
      if call(bind, port) { return port }
    }
    return -1
  }

  /// Calls a function with a new socket and a port of this machine; returns true if it succeeds.
  private static func call(_ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ port: Int) -> Bool {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Kills it, as a power cut would.
  package func kill() { end(SIGKILL) }

  /// Suspends it, so that it neither answers nor closes connections.
  package func freeze() {
    signal(SIGSTOP)
    // Its threads stop one by one: one of them may answer until the last has.
    let id = process.withLock { $0 }
    while id > 0, !Self.isStopped(id) { usleep(1000) }
  }

  package func thaw() { signal(SIGCONT) }

  private func end(_ signal: Int32) {
    let id = process.withLock { id in
      defer { id = 0 }
      return id
    }
    guard id > 0 else { return }
    Glibc.kill(id, signal)
    // Foundation collects what it started; until then the number stays the process's own.
    while Glibc.kill(id, 0) == 0, !Self.isZombie(id) { usleep(1000) }
  }

  private func signal(_ signal: Int32) {
    let id = process.withLock { $0 }
    if id > 0 { Glibc.kill(id, signal) }
  }

  private static func isStopped(_ id: pid_t) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return threads.allSatisfy { state(of: "\(id)/task/\($0)").map("TtZX".contains) ?? true }
  }

  private static func state(of process: String) -> Character? {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.dropFirst().first
  }

  private static func isZombie(_ id: pid_t) -> Bool {
    state(of: "\(id)").map { $0 == "Z" } ?? true
  }

  /// Server of the running suite.
  @TaskLocal package static var current: NatsTestServer?

  /// A name that no other test has.
  package static func unique(_ name: String) -> String {
    name + String(UUID().uuidString.filter { $0 != "-" }.prefix(12))
  }
}
