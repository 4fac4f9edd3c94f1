package import Core
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Proxy on this machine's loopback through which web pages use the network; it connects only to what a policy allows.
///
/// It resolves names itself, checks the addresses, and connects to exactly the checked address, so that no second
/// answer, redirect or spelling leads elsewhere. HTTPS passes through it unread. Programs of other users are refused.
package final class EgressProxy: Sendable {
  /// Name of the response header with the reason for which the host was refused.
  package static let refusalHeader = "Galley-Refused"

  private let channel: any Channel
  /// Port on 127.0.0.1.
  package let port: Int

  private init(channel: any Channel, port: Int) {
    self.channel = channel
    self.port = port
  }

  /// Starts listening. `onRefusal` is called on a thread of the proxy for each connection that wasn't made.
  package static func start(
    policy: AddressPolicy, resolver: HostResolver = HostResolver(), patience: Duration = .seconds(10),
    onRefusal: @escaping @Sendable (EgressRefusal) -> Void = { _ in }
  ) async throws -> EgressProxy {
    let connector = Connector(policy: policy, resolver: resolver, patience: patience)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 128)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { client in
        LoopbackPeer.admit(client) {
          let pipeline = client.pipeline.syncOperations
          try pipeline.addHandler(HTTPResponseEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)))
          try pipeline.addHandler(ProxyHandler(connector: connector, onRefusal: onRefusal))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return EgressProxy(channel: channel, port: channel.localAddress?.port ?? 0)
  }

  /// Stops listening; open connections continue.
  package func stop() async { try? await channel.close() }
}

/// Requested connection that wasn't made.
package struct EgressRefusal: Error, Hashable, Sendable {
  /// Reason for which the connection wasn't made.
  package enum Reason: Hashable, Sendable {
    /// The policy refuses all addresses of the host; the first of them and its reason.
    case address(AddressPolicy.Refusal, IPAddress)
    /// Only hosts given as numbers are allowed, so the name wasn't resolved.
    case offline
    /// The name can't be resolved.
    case unknownHost
    /// The host didn't answer, or not in time.
    case unreachable
  }

  /// Host as it was requested.
  package var host: String
  package var port: Int
  package var reason: Reason

  /// Stable code of the reason: `loopback`, `private`, …, `unknown-host`, `unreachable`.
  package var code: String {
    switch reason {
    case .address(let refusal, _): refusal.rawValue
    case .offline: AddressPolicy.Refusal.offline.rawValue
    case .unknownHost: "unknown-host"
    case .unreachable: "unreachable"
    }
  }

  /// Indicates if the policy forbade the connection; false if the connection failed.
  package var isForbidden: Bool {
    switch reason {
    case .address, .offline: true
    case .unknownHost, .unreachable: false
    }
  }
}
