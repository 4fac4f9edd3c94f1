internal import Core
package import NIOCore
internal import NIOPosix

/// Connects to hosts whose addresses the policy allows, using exactly the address that was checked.
package struct Connector: Sendable {
  let policy: AddressPolicy
  let resolver: HostResolver
  /// Time limit for the connection to one address.
  let patience: TimeAmount

  package init(policy: AddressPolicy, resolver: HostResolver = HostResolver(), patience: Duration) {
    self.policy = policy
    self.resolver = resolver
    self.patience = TimeAmount(patience)
  }

  /// Connects to the host, on the loop; fails with an `EgressRefusal`.
  package func connect(
    to host: String, port: Int, on loop: any EventLoop,
    initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    lookUp(host, port, on: loop).flatMap { addresses in
      switch judge(addresses) {
      case .success(let addresses):
        return connect(to: addresses[...], on: loop, initializer: initializer).flatMapErrorThrowing { _ in
          throw EgressRefusal(host: host, port: port, reason: .unreachable)
        }
      case .failure(let reason):
        return loop.makeFailedFuture(EgressRefusal(host: host, port: port, reason: reason.reason))
      }
    }
  }

  /// Resolves the host's addresses; under a closed policy it accepts numbers only, so that no name reaches a name
  /// server.
  private func lookUp(_ host: String, _ port: Int, on loop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
    guard policy.isClosed else { return resolver.addresses(of: host, port: port, on: loop) }
    let addresses = policy.allowed.isEmpty ? [] : HostResolver.addresses(ofNumber: host, port: port)
    guard addresses.isEmpty else { return loop.makeSucceededFuture(addresses) }
    return loop.makeFailedFuture(EgressRefusal(host: host, port: port, reason: .offline))
  }

  private struct Judged: Error { var reason: EgressRefusal.Reason }

  /// Returns the allowed addresses, or the reason for which none is allowed.
  private func judge(_ addresses: [SocketAddress]) -> Result<[SocketAddress], Judged> {
    var refused: EgressRefusal.Reason?
    let allowed = addresses.filter { address in
      guard let plain = IPAddress(address) else { return false }
      guard let refusal = policy.refusal(of: plain) else { return true }
      if refused == nil { refused = .address(refusal, plain) }
      return false
    }
    return allowed.isEmpty ? .failure(Judged(reason: refused ?? .unknownHost)) : .success(allowed)
  }

  private func connect(
    to addresses: ArraySlice<SocketAddress>, on loop: any EventLoop,
    initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    guard let first = addresses.first else { return loop.makeFailedFuture(ChannelError.connectPending) }
    let bootstrap = ClientBootstrap(group: loop).connectTimeout(patience).channelInitializer(initializer)
    let attempt = bootstrap.connect(to: first)
    guard addresses.count > 1 else { return attempt }
    return attempt.flatMapError { _ in connect(to: addresses.dropFirst(), on: loop, initializer: initializer) }
  }
}
