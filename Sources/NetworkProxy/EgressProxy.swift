package import Core
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A proxy on this machine's loopback that web pages speak to the world through; it connects to what a policy allows.
///
/// Names are resolved here, addresses judged, and the very address that was judged is connected to, so that no second
/// answer, redirect or spelling leads elsewhere. HTTPS goes through it unread.
package final class EgressProxy: Sendable {
  /// The header of an answer that says why the host wasn't spoken to.
  package static let refusalHeader = "Galley-Refused"

  private let channel: any Channel
  /// The port on 127.0.0.1.
  package let port: Int

  private init(channel: any Channel, port: Int) {
    self.channel = channel
    self.port = port
  }

  /// Starts listening. `onRefusal` hears, on a thread of the proxy's, of each connection that wasn't made.
  package static func start(
    policy: AddressPolicy, resolver: HostResolver = HostResolver(), patience: Duration = .seconds(10),
    onRefusal: @escaping @Sendable (EgressRefusal) -> Void = { _ in }
  ) async throws -> EgressProxy {
    let connector = Connector(policy: policy, resolver: resolver, patience: patience)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 128)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { client in
        client.eventLoop.makeCompletedFuture {
          let pipeline = client.pipeline.syncOperations
          try pipeline.addHandler(HTTPResponseEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)))
          try pipeline.addHandler(ProxyHandler(connector: connector, onRefusal: onRefusal))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return EgressProxy(channel: channel, port: channel.localAddress?.port ?? 0)
  }

  /// Stops listening; connections that are open go on.
  package func stop() async { try? await channel.close() }
}

/// A connection that was asked for and not made.
package struct EgressRefusal: Error, Hashable, Sendable {
  /// Why not.
  package enum Reason: Hashable, Sendable {
    /// All addresses of the host are of a kind that may not be spoken to; the first of them.
    case address(AddressPolicy.Refusal, IPAddress)
    /// Nothing may be spoken to that isn't given as a number, so the name wasn't asked for.
    case offline
    /// The name isn't known.
    case unknownHost
    /// Nobody answered, or not in time.
    case unreachable
  }

  /// As it was asked for.
  package var host: String
  package var port: Int
  package var reason: Reason

  /// The stable word for it: `loopback`, `private`, …, `unknown-host`, `unreachable`.
  package var code: String {
    switch reason {
    case .address(let refusal, _): refusal.rawValue
    case .offline: AddressPolicy.Refusal.offline.rawValue
    case .unknownHost: "unknown-host"
    case .unreachable: "unreachable"
    }
  }

  /// Whether it was forbidden, rather than in vain.
  package var isForbidden: Bool {
    switch reason {
    case .address, .offline: true
    case .unknownHost, .unreachable: false
    }
  }
}
