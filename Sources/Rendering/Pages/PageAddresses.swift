internal import Core
internal import Foundation
internal import WebKitRuntime

/// The addresses of one render's pages. Each creative of a shared session has a host of its own; the log shows one name.
struct PageAddresses: Sendable {
  /// The creative's host under the creative scheme.
  let host: String
  /// Galley's own pages: the container's script and what stands for the browser.
  static let containerHost = "galley"

  /// The host that the log shows for the creative's own.
  var shownHost = "ad"

  var origin: String { "\(WebSession.scheme)://\(host)" }

  /// Where a file of the creative is.
  func url(ofFile path: String) -> String {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let encoded = path.utf8.map { allowed.contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
    return "\(origin)/\(encoded)"
  }

  /// Whether the address is within the creative itself.
  func isOwn(_ url: String) -> Bool { url == origin || url.hasPrefix(origin + "/") }

  /// The file of the creative that is at an address; nil for any other.
  func path(of url: String) -> String? {
    isOwn(url) ? URL(string: url).map { String($0.path.drop { $0 == "/" }) } : nil
  }

  /// How a page of the creative's own says an address, whichever host serves it.
  func relative(_ url: String) -> String { isOwn(url) ? "/" + url.dropFirst(origin.count).drop { $0 == "/" } : url }

  /// How the log names an address: the same whichever host served it, data URLs cut.
  func display(_ url: String) -> String {
    if isOwn(url) { return "\(WebSession.scheme)://\(shownHost)" + url.dropFirst(origin.count) }
    if url.hasPrefix("data:") { return String(url.prefix(64)) }
    return String(url.prefix(2_048))
  }

  /// The same for every address of the creative's in what a page says: console lines, exceptions, arguments.
  func displayAll(in value: JSONValue) -> JSONValue {
    guard host != shownHost else { return value }
    return switch value {
    case .string(let text): .string(text.replacing(origin, with: "\(WebSession.scheme)://\(shownHost)"))
    case .array(let elements): .array(elements.map(displayAll))
    case .object(let members): .object(members.mapValues(displayAll))
    case .null, .bool, .number: value
    }
  }

  /// One of Galley's own pages in the creative's origin, by its path.
  func hostPage(_ path: String) -> LoadableAddress { LoadableAddress(trusted: origin + path) }

  /// One of Galley's own pages on a host of its own.
  static func containerPage(_ name: String) -> LoadableAddress {
    LoadableAddress(trusted: "\(WebSession.scheme)://\(containerHost)/\(name)")
  }

  /// An address as a document at `base` means it; nil when it is none. Without a scheme, `//host/path`, one of the
  /// creative's files means https, as the pages do that it is served in.
  static func resolve(_ address: String, against base: String) -> String? {
    guard !address.isEmpty, let base = URL(string: base) else { return nil }
    if address.hasPrefix("//"), base.scheme != "http" { return "https:" + address }
    return URL(string: address, relativeTo: base)?.absoluteString
  }

  private func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }
}
