internal import Core
internal import Creatives
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

/// An address that may be loaded on a creative's behalf; only an `AddressRule` makes one.
struct CreativeAddress: Hashable, Sendable {
  let url: String

  fileprivate init(_ url: String) { self.url = url }

  /// For a view to load.
  var loadable: LoadableAddress { LoadableAddress(trusted: url) }
}

/// Why an address isn't loaded on a creative's behalf.
struct AddressRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  enum Code: String, Sendable {
    /// It is none.
    case invalid
    /// The creative's scheme, but neither its own files nor anything it may see.
    case host
    /// What the engine, the machine or another app answers, rather than the web.
    case scheme
    /// The render has no network.
    case offline
  }

  let url: String
  let code: Code

  var description: String {
    switch code {
    case .invalid: "it is no address"
    case .host: "it isn't one of the creative's files"
    case .scheme: "addresses of this kind aren't loaded for a creative"
    case .offline: "the render has no network"
    }
  }
}

/// Which addresses the host loads on a creative's behalf: the one place that decides.
///
/// A page's own requests are the engine's to judge, which knows where they come from. What the host loads counts for it
/// as the host's wish, a file of the machine's included. So everything that a creative names and the host loads comes
/// through here: second parts, wrappers, films, companions, icons, pages behind clicks, what counts events.
struct AddressRule: Sendable {
  let addresses: PageAddresses
  let reach: NetworkPolicy

  /// What a creative wrote, as a document at `base` means it.
  func judge(_ text: String, against base: String) throws(AddressRefusal) -> CreativeAddress {
    let written = Self.cleaned(text)
    guard let meant = PageAddresses.resolve(written, against: base) ?? (Self.scheme(of: written) == nil ? nil : written)
    else { throw AddressRefusal(url: text, code: .invalid) }
    return try judge(meant)
  }

  /// A whole address.
  func judge(_ text: String) throws(AddressRefusal) -> CreativeAddress {
    let whole = Self.cleaned(text)
    guard let scheme = Self.scheme(of: whole) else { throw AddressRefusal(url: text, code: .invalid) }
    let url = WebSession.meant(scheme + whole.dropFirst(scheme.count))
    if let code = refusal(of: url) { throw AddressRefusal(url: url, code: code) }
    return CreativeAddress(url)
  }

  private func refusal(of url: String) -> AddressRefusal.Code? {
    switch Self.scheme(of: url) {
    case WebSession.scheme: addresses.isOwn(url) ? nil : .host
    case "http", "https": reach.kind == .none && reach.allowed.isEmpty ? .offline : nil
    // What carries its content itself, or is a page's memory.
    case "data", "blob": nil
    case "about": url == "about:blank" ? nil : .scheme
    default: .scheme
    }
  }

  /// Whether a frame may go there, whoever asks: not to what the engine answers from this machine.
  ///
  /// Every other scheme is the app's to act on, and comes to nothing here.
  static func mayBeShown(_ url: String) -> Bool { !machines.contains(scheme(of: cleaned(url)) ?? "") }

  /// Schemes that the engine, or a library below it, answers from the machine.
  private static let machines: Set<String> = [
    "file", "filesystem", "ftp", "inspector", "inspector-resource", "resource", "view-source", "webkit",
  ]

  /// As the engine reads it, which strips spaces and control characters around an address, and line breaks in it.
  private static func cleaned(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) }
    let isBlank = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 }
    let end = scalars.lastIndex { !isBlank($0) }.map { scalars.index(after: $0) } ?? scalars.startIndex
    return String(String.UnicodeScalarView(scalars[..<end].drop(while: isBlank)))
  }

  /// In lower case; nil where there is none.
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

/// What something that a creative names is loaded as; the raw values are the log's words.
enum AddressUse: String, Sendable {
  case secondPart, clickthrough, video, wrapper, media, interactive, companion, icon, beacon, verification
}

extension AdContext {
  /// What decides which addresses are loaded on the creative's behalf.
  private var rule: AddressRule { AddressRule(addresses: addresses, reach: render.job.options.network) }

  /// Where addresses of the creative's own page count from.
  var pageAddress: String { bundle.url ?? addresses.url(ofFile: bundle.entry?.path ?? "index.html") }

  /// An address as the creative's page means it, if it may be loaded; the log says why not.
  func judge(_ text: String, for use: AddressUse) throws(AddressRefusal) -> CreativeAddress {
    try judge(use) { rule throws(AddressRefusal) in try rule.judge(text, against: pageAddress) }
  }

  /// The same for a whole address.
  func judge(whole url: String, for use: AddressUse) throws(AddressRefusal) -> CreativeAddress {
    try judge(use) { rule throws(AddressRefusal) in try rule.judge(url) }
  }

  private func judge(
    _ use: AddressUse, by decision: (AddressRule) throws(AddressRefusal) -> CreativeAddress
  ) throws(AddressRefusal) -> CreativeAddress {
    do {
      return try decision(rule)
    } catch {
      record(
        .host, "addressRefused",
        [
          "url": .string(addresses.display(error.url)), "use": .string(use.rawValue),
          "reason": .string(error.code.rawValue),
        ])
      throw error
    }
  }

  /// How the log and the host's pages name what a creative wrote.
  func shown(_ text: String) -> String {
    addresses.display(PageAddresses.resolve(text, against: pageAddress) ?? text)
  }
}
