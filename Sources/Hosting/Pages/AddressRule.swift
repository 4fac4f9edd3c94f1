internal import Core
package import Engine
internal import Foundation
package import RenderModel

/// Address that may be loaded on a creative's behalf; only an `AddressRule` creates one.
package struct CreativeAddress: Hashable, Sendable {
  package let url: String

  fileprivate init(_ url: String) { self.url = url }

  /// Address for a view to load.
  package var loadable: LoadableAddress { LoadableAddress(trusted: url) }
}

/// Reason why an address isn't loaded on a creative's behalf.
package struct AddressRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The text is no address.
    case invalid
    /// The scheme is the creative's, but the host isn't its own.
    case host
    /// The engine, the machine or another app answers the scheme, rather than the web.
    case scheme
    /// The render has no network.
    case offline
  }

  package let url: String
  package let code: Code

  package var description: String {
    switch code {
    case .invalid: "it isn't a URL"
    case .host: "it isn't one of the creative's files"
    case .scheme: "creatives can't load URLs of this kind"
    case .offline: "the render has no network access"
    }
  }
}

/// Rule for the addresses that the host loads on a creative's behalf, and the only place that decides on them.
///
/// A page's own requests are judged by the engine, which knows their source. To the engine, the host's loads are the
/// host's own wish, even of a file of the machine. So everything that a creative names and the host loads passes
/// through here: second parts, wrappers, videos, companions, icons, clickthrough pages, beacons.
package struct AddressRule: Sendable {
  package let addresses: PageAddresses
  package let reach: NetworkPolicy

  package init(addresses: PageAddresses, reach: NetworkPolicy) {
    self.addresses = addresses
    self.reach = reach
  }

  /// Judges an address of a creative, relative to its document at `base`.
  package func judge(_ text: String, against base: String) throws(AddressRefusal) -> CreativeAddress {
    let written = Self.cleaned(text)
    guard let meant = PageAddresses.resolve(written, against: base) ?? (Self.scheme(of: written) == nil ? nil : written)
    else { throw AddressRefusal(url: text, code: .invalid) }
    return try judge(meant)
  }

  /// Judges a complete address.
  package func judge(_ text: String) throws(AddressRefusal) -> CreativeAddress {
    let whole = Self.cleaned(text)
    guard let scheme = Self.scheme(of: whole) else { throw AddressRefusal(url: text, code: .invalid) }
    let url = CreativeScheme.meant(scheme + whole.dropFirst(scheme.count))
    if let code = refusal(of: url) { throw AddressRefusal(url: url, code: code) }
    return CreativeAddress(url)
  }

  private func refusal(of url: String) -> AddressRefusal.Code? {
    switch Self.scheme(of: url) {
    case CreativeScheme.name: addresses.isOwn(url) ? nil : .host
    case "http", "https": reach.kind == .none && reach.allowed.isEmpty ? .offline : nil
    // What carries its content itself, or is a page's memory.
    case "data", "blob": nil
    case "about": url == "about:blank" ? nil : .scheme
    default: .scheme
    }
  }

  /// Indicates if a frame may go to an address, whichever script asks: not to one that the engine answers from this
  /// machine.
  ///
  /// Other schemes are left to the app, and have no effect here.
  package static func mayBeShown(_ url: String) -> Bool { !machines.contains(scheme(of: cleaned(url)) ?? "") }

  /// Schemes that the engine, or a library below it, answers from the machine.
  private static let machines: Set<String> = [
    "file", "filesystem", "ftp", "inspector", "inspector-resource", "resource", "view-source", "webkit",
  ]

  /// Removes spaces and control characters around an address, and tabs and line breaks in it, as the engine does.
  private static func cleaned(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) }
    let isBlank = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 }
    let end = scalars.lastIndex { !isBlank($0) }.map { scalars.index(after: $0) } ?? scalars.startIndex
    return String(String.UnicodeScalarView(scalars[..<end].drop(while: isBlank)))
  }

  /// Scheme of an address in lower case; nil for none.
  private static func scheme(of url: String) -> String? {
    guard let colon = url.unicodeScalars.firstIndex(of: ":") else { return nil }
    let scheme = url.unicodeScalars[..<colon]
    guard let first = scheme.first, first.isASCII, first.properties.isAlphabetic else { return nil }
    guard
      scheme.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || "+-.".contains(Character($0)))
      })
    else { return nil }
    return String(scheme).lowercased()
  }
}
