internal import Foundation

/// Where a proxy listens.
struct ProxyAddress: Hashable, Sendable {
  let host: String
  let port: Int

  /// Reads one like `http://127.0.0.1:3128`; nil for anything else.
  init?(_ text: String) {
    guard let url = URL(string: text), let host = url.host(percentEncoded: false), let port = url.port else {
      return nil
    }
    (self.host, self.port) = (host, port)
  }
}
