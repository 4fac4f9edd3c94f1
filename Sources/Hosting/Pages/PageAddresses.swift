package import Core
package import Engine
internal import Foundation

/// Addresses of one render's pages. Each creative of a shared session has a host of its own; the log shows one name.
package struct PageAddresses: Sendable {
  /// Host of the creative under the creative scheme.
  package let host: String
  /// Host of Galley's own pages: the container's script and the page in place of the browser's.
  package static let containerHost = "galley"

  /// Host that the log shows for the creative's own.
  package let shownHost: String

  package init(host: String, shownHost: String = "ad") {
    self.host = host
    self.shownHost = shownHost
  }

  package var origin: String { "\(CreativeScheme.name)://\(host)" }

  /// Address of a file of the creative.
  package func url(ofFile path: String) -> String {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let encoded = path.utf8.map { allowed.contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
    return "\(origin)/\(encoded)"
  }

  /// Indicates if the address is within the creative itself.
  package func isOwn(_ url: String) -> Bool { url == origin || url.hasPrefix(origin + "/") }

  /// Path of the creative's file at an address; nil for other addresses.
  package func path(of url: String) -> String? {
    isOwn(url) ? URL(string: url).map { String($0.path.drop { $0 == "/" }) } : nil
  }

  /// Form of an address in a page of the creative's own, independent of the host that serves it.
  package func relative(_ url: String) -> String {
    isOwn(url) ? "/" + url.dropFirst(origin.count).drop { $0 == "/" } : url
  }

  /// Form of an address in the log, independent of the host that served it; long addresses and data URLs are cut.
  package func display(_ url: String) -> String {
    if isOwn(url) { return "\(CreativeScheme.name)://\(shownHost)" + url.dropFirst(origin.count) }
    if url.hasPrefix("data:") { return String(url.prefix(64)) }
    return String(url.prefix(2_048))
  }

  /// Replaces the creative's origin by the shown one in a page's texts: console lines, exceptions, arguments.
  package func displayAll(in value: JSONValue) -> JSONValue {
    guard host != shownHost else { return value }
    return switch value {
    case .string(let text): .string(text.replacing(origin, with: "\(CreativeScheme.name)://\(shownHost)"))
    case .array(let elements): .array(elements.map(displayAll))
    case .object(let members): .object(members.mapValues(displayAll))
    case .null, .bool, .number: value
    }
  }

  /// Address of one of Galley's own pages in the creative's origin, by its path.
  package func hostPage(_ path: String) -> LoadableAddress { LoadableAddress(trusted: origin + path) }

  /// Address of one of Galley's own pages on Galley's host.
  package static func containerPage(_ name: String) -> LoadableAddress {
    LoadableAddress(trusted: "\(CreativeScheme.name)://\(containerHost)/\(name)")
  }

  /// Resolves an address against that of its document; nil if it isn't an address.
  ///
  /// Without a scheme, `//host/path`, an address in one of the creative's files gets https, the scheme of the pages
  /// that serve it.
  package static func resolve(_ address: String, against base: String) -> String? {
    guard !address.isEmpty, let base = URL(string: base) else { return nil }
    if address.hasPrefix("//"), base.scheme != "http" { return "https:" + address }
    return URL(string: escaped(address), relativeTo: base)?.absoluteString
  }

  /// Escapes the characters that an address may not contain, and keeps its own escapes.
  ///
  /// Foundation would escape the percent signs again if one character is wrong.
  private static func escaped(_ address: String) -> String {
    let bytes = Array(address.utf8)
    var text: [UInt8] = []
    let host = hostPlace(in: bytes)
    for (place, byte) in bytes.enumerated() {
      let isEscape = byte == UInt8(ascii: "%") && bytes.dropFirst(place + 1).prefix(2).count(where: isHex) == 2
      // Only a host may be in brackets.
      let isBracket = (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")) && !host.contains(place)
      if isEscape || (allowed.contains(byte) && !isBracket) {
        text.append(byte)
      } else {
        text.append(contentsOf: "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Range of the host, with user and port, in an address; empty for an address without one.
  private static func hostPlace(in bytes: [UInt8]) -> Range<Int> {
    let slash = UInt8(ascii: "/")
    let scheme = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != slash && $0 != UInt8(ascii: "?") }.count
    let start = scheme < bytes.count && bytes[scheme] == UInt8(ascii: ":") ? scheme + 1 : 0
    guard bytes.dropFirst(start).prefix(2).elementsEqual([slash, slash]) else { return 0..<0 }
    let length = bytes.dropFirst(start + 2).prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      .count
    return start + 2..<start + 2 + length
  }

  /// Characters that RFC 3986 allows in an address besides escapes.
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=".utf8)

  private static func isHex(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 32)
  }

  private func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }
}
