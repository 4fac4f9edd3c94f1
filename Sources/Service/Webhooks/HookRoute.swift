internal import Jobs
internal import NIOPosix

/// The way that a webhook takes.
enum HookRoute: Hashable {
  /// As the machine finds it.
  case open
  /// To this very address, whatever the name's are by then.
  case pinned(String)
  /// By the proxy that everything leaves the machine by, which decides what may be reached.
  case proxy(ProxyAddress)

  /// Looks where the address leads, and refuses a name of which any address is private.
  static func find(
    to address: OutsideAddress, allowsPrivate: Bool, proxy: ProxyAddress?
  ) async throws(Fault) -> HookRoute {
    if let proxy { return .proxy(proxy) }
    if allowsPrivate { return .open }
    let host = address.host
    let found =
      (try? await NIOThreadPool.singleton.runIfActive { OutsideAddress.lookUp(host, numericOnly: false) }) ?? []
    guard let first = found.first else { throw .request("host-unknown", "\(host) has no address") }
    guard found.allSatisfy({ OutsideAddress.isPublic($0.bytes) }) else { throw OutsideAddress.refusal(host) }
    return .pinned(first.text)
  }
}
