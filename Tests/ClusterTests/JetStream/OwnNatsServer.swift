import NatsTestServer
import Testing

/// Gives a suite a server of its own, from its first test to its last.
struct OwnNatsServer: SuiteTrait, TestScoping {
  init() {}

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let server = try await NatsTestServer.start()
    defer { server.kill() }
    try await NatsTestServer.$current.withValue(server) { try await function() }
  }
}

extension Trait where Self == OwnNatsServer {
  /// A server of NATS for the whole suite.
  static var ownNatsServer: OwnNatsServer { OwnNatsServer() }
}
