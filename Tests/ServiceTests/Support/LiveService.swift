@testable import Service

/// The HTTP side of a server, on a port of its own; it renders nothing.
struct LiveService {
  let service: WebService
  let port: Int

  /// Runs one while something is done with it.
  static func during(
    _ scratch: Scratch? = nil, _ change: (inout ServiceSettings) -> Void = { _ in },
    _ work: @escaping @Sendable (LiveService) async throws -> Void
  ) async throws {
    let (addresses, address) = AsyncStream.makeStream(of: String.self)
    let service = try WebService.sample(scratch, change, ready: { address.yield($0) })
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

  /// The answer to one request on a connection of its own, head and body as they come.
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
