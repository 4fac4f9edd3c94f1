internal import Core
internal import Foundation
internal import Glibc
internal import NetworkProxy

/// An http or https address that this server is to call, or to have loaded.
struct OutsideAddress: Hashable, Sendable {
  /// As the one who looked at it writes it, so that whoever calls it reads no other host.
  let text: String
  let host: String

  /// Refuses what is none, what carries a password, and unless allowed a host that is a private address in any spelling.
  init(_ text: String, allowsPrivate: Bool) throws(Fault) {
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

  /// Whether everybody on the internet means the same by an address of these bytes.
  static func isPublic(_ bytes: [UInt8]) -> Bool {
    IPAddress(bytes: bytes).map { AddressPolicy().refusal(of: $0) == nil } ?? false
  }

  /// Why a private address isn't called.
  static func refusal(_ host: String) -> Fault {
    .request("address-private", "\(host) is a private address; --allow-private-network lets it be reached")
  }

  /// The host's addresses as text and as bytes; blocks while names are asked for.
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
