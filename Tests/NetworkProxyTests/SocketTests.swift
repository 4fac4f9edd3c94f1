internal import Core
internal import Foundation
internal import Testing

@testable internal import NetworkProxy

/// Sockets of the proxy that a program started meanwhile would inherit.
@Suite(.timeLimit(.minutes(1))) struct SocketTests {
  @Test func areHandedOnToNobody() async throws {
    let host = try await LoopbackHost.start(answering: "first;")
    let proxy = try await EgressProxy.start(
      policy: AddressPolicy(allowed: [AddressBlock("127.0.0.1")].compactMap { $0 }))
    _ = try await converse(
      port: proxy.port, ["CONNECT 127.0.0.1:\(host.port) HTTP/1.1\r\n\r\n", "any\r\n\r\n"], until: "first;")
    let own = try Set(descriptors(of: proxy.port) + descriptors(of: host.port))
    // Two listen, and each connection that is there still has two ends.
    #expect(own.count >= 2)
    #expect(own.filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 } == [])
    await proxy.stop()
    await host.stop()
  }

  /// Returns this process's sockets with a port on either side.
  private func descriptors(of port: Int) throws -> [Int32] {
    let mark = ":" + String(format: "%04X", port)
    let lines = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
    let sockets = lines.map { $0.split(separator: " ") }.filter { $0.count > 9 }
      .filter { $0[1].hasSuffix(mark) || $0[2].hasSuffix(mark) }.map { "socket:[\($0[9])]" }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")).map(sockets.contains) == true
    }
  }
}
