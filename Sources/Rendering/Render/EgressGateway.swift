internal import Core
internal import Foundation
internal import NetworkProxy
internal import RenderModel
internal import Synchronization

/// Network access of a session's pages: connects to hosts that the job allows and remembers the refused ones.
final class EgressGateway: Sendable {
  /// Port of the proxy on 127.0.0.1.
  let port: Int
  private let refusals: EgressRefusals
  /// Indicates that the network is off and the job allows no address.
  private let isClosed: Bool

  /// Creates a gateway that uses a proxy which is already running.
  init(port: Int, refusals: EgressRefusals, isClosed: Bool = false) {
    self.port = port
    self.refusals = refusals
    self.isClosed = isClosed
  }

  /// Opens a gateway that allows the hosts that `reach` allows.
  static func open(_ reach: NetworkPolicy) async throws(Fault) -> EgressGateway {
    let blocks = reach.allowed.compactMap { AddressBlock($0) }
    let refusals = EgressRefusals()
    do {
      let proxy = try await EgressProxy.start(
        policy: reach.kind == .none ? .only(blocks) : AddressPolicy(allowed: blocks),
        onRefusal: { refusals.add(host: $0.host, code: $0.code) })
      return EgressGateway(port: proxy.port, refusals: refusals, isClosed: reach.kind == .none && blocks.isEmpty)
    } catch {
      throw .engine("proxy-failed", "can't open the network gateway for creatives: \(error)")
    }
  }

  private static let web: Set<String> = ["http", "https", "ws", "wss"]

  /// Reason why the host of an address wasn't contacted: `loopback`, `private`, … `unreachable`; nil if it was.
  ///
  /// With the network off, the web process itself refuses requests, and none reaches the proxy; the reason is
  /// `offline`.
  func refusal(of url: String) -> String? {
    guard let address = URLComponents(string: url), let host = address.host else { return nil }
    if isClosed, Self.web.contains(address.scheme?.lowercased() ?? "") { return "offline" }
    return refusals.code(ofHost: host.lowercased())
  }
}

/// Hosts that weren't contacted. The proxy's threads add them before the page learns of the refusal.
final class EgressRefusals: Sendable {
  private let codes = Mutex<[String: String]>([:])
  /// Maximum number of hosts kept, as a page may ask for any number.
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
