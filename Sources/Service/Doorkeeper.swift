internal import ServiceLifecycle

/// Sends home whoever waits for a render when the server is told to stop; their renders go on.
struct Doorkeeper: Service {
  let bulletin: Bulletin

  func run() async throws {
    try? await gracefulShutdown()
    bulletin.close()
  }
}
