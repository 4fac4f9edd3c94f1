internal import Core
internal import Foundation
internal import NetworkProxy
internal import RenderModel
internal import Synchronization

/// The way out of a session's pages: connects where the job allows and remembers what it refused.
final class EgressGateway: Sendable {
  /// The proxy's port on 127.0.0.1.
  let port: Int
  private let refusals: EgressRefusals
  /// Whether it leads nowhere but to what the job names.
  private let isClosed: Bool

  /// A way out by a proxy that somebody else has begun.
  init(port: Int, refusals: EgressRefusals, isClosed: Bool = false) {
    self.port = port
    self.refusals = refusals
    self.isClosed = isClosed
  }

  /// Opens a way out that leads as far as `reach` says.
  static func open(_ reach: NetworkPolicy) async throws(Fault) -> EgressGateway {
    let blocks = reach.allowed.compactMap { AddressBlock($0) }
    let refusals = EgressRefusals()
    do {
      let proxy = try await EgressProxy.start(
        policy: reach.kind == .none ? .only(blocks) : AddressPolicy(allowed: blocks), onRefusal: { refusals.add(host: $0.host, code: $0.code) })
      return EgressGateway(port: proxy.port, refusals: refusals, isClosed: reach.kind == .none && blocks.isEmpty)
    } catch {
      throw .engine("proxy-failed", "creatives' way to the network can't be opened: \(error)")
    }
  }

  private static let web: Set<String> = ["http", "https", "ws", "wss"]

  /// Why the host of an address wasn't spoken to: `loopback`, `private`, … `unreachable`; nil when it was.
  ///
  /// With the network off the web process refuses by itself, and nothing comes as far as the proxy.
  func refusal(of url: String) -> String? {
    guard let address = URLComponents(string: url), let host = address.host else { return nil }
    if isClosed, Self.web.contains(address.scheme?.lowercased() ?? "") { return "offline" }
    return refusals.code(ofHost: host.lowercased())
  }
}

/// Hosts that weren't spoken to; told by the proxy's threads before the page learns of it.
final class EgressRefusals: Sendable {
  private let codes = Mutex<[String: String]>([:])
  /// A page may ask for any number of hosts.
  private static let most = 10_000

  func add(host: String, code: String) {
    codes.withLock { codes in
      if codes.count < Self.most { codes[host.lowercased()] = code }
    }
  }

  func code(ofHost host: String) -> String? {
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return codes.withLock { $0[bare] }
  }
}
