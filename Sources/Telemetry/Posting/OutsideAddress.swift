package import Core
internal import Foundation
internal import Glibc
internal import NetworkProxy

/// An http or https address that this server calls or has loaded.
package struct OutsideAddress: Hashable, Sendable {
  /// The address as normalised by the parser that checked it, so that other parsers find the same host.
  package let text: String
  package let host: String

  /// Rejects invalid addresses, those with a user or password, and private ones in any spelling unless they are
  /// allowed.
  package init(_ text: String, allowsPrivate: Bool) throws(Fault) {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host(percentEncoded: false), !host.isEmpty, url.user(percentEncoded: true) == nil
    else { throw .request("url-invalid", "must be an http or https address without user and password") }
    self.text = url.absoluteString
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    if !allowsPrivate {
      let found = Self.lookUp(self.host, numericOnly: true)
      // A point at the end says that it is the whole name.
      let name = self.host.last == "." ? self.host.dropLast().lowercased() : self.host.lowercased()
      let isLocalName = name == "localhost" || name.hasSuffix(".localhost")
      guard !isLocalName, found.allSatisfy({ Self.isPublic($0.bytes) }) else { throw Self.refusal(host) }
    }
  }

  /// Indicates if an address is public.
  static func isPublic(_ bytes: [UInt8]) -> Bool {
    IPAddress(bytes: bytes).map { AddressPolicy().refusal(of: $0) == nil } ?? false
  }

  /// The fault for a private address.
  package static func refusal(_ host: String) -> Fault {
    .request(
      "address-private",
      "\(host) is a private address: the server's administrator can allow it with --allow-private-network")
  }

  /// The addresses of a host as text and bytes; blocks during name resolution.
  static func lookUp(_ host: String, numericOnly: Bool) -> [(text: String, bytes: [UInt8])] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = numericOnly ? AI_NUMERICHOST : 0
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [(String, [UInt8])] = []
    var next = list
    while let info = next?.pointee {
      if let address = address(info) { found.append(address) }
      next = info.ai_next
    }
    return found
  }

  private static func address(_ info: addrinfo) -> (String, [UInt8])? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let length = socklen_t(text.count)
    guard getnameinfo(info.ai_addr, info.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    // Of an address that counts on one network only, the network's name comes behind it.
    let plain = Self.string(text).prefix { $0 != "%" }
    return IPAddress(plain).map { (String(plain), $0.bytes) }
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Host and port of a proxy.
package struct ProxyAddress: Hashable, Sendable {
  package let host: String
  package let port: Int

  /// Parses an address like `http://127.0.0.1:3128`; nil for anything else.
  package init?(_ text: String) {
    guard let url = URL(string: text), let host = url.host(percentEncoded: false), let port = url.port else {
      return nil
    }
    (self.host, self.port) = (host, port)
  }
}
