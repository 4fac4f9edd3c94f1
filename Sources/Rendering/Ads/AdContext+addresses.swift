internal import Core
internal import Creatives
internal import Hosting
internal import RenderModel

/// Use of an address that a creative names; the raw values appear in the log.
enum AddressUse: String, Sendable {
  case secondPart, clickthrough, video, wrapper, media, interactive, companion, icon, beacon, verification
}

extension AdContext {
  /// Rule for the addresses that are loaded on the creative's behalf.
  private var rule: AddressRule { AddressRule(addresses: addresses, reach: render.job.options.network) }

  /// Base of addresses in the creative's own page.
  var pageAddress: String { bundle.url ?? addresses.url(ofFile: bundle.entry?.path ?? "index.html") }

  /// Judges an address relative to the creative's page; logs the reason of a refusal.
  func judge(_ text: String, for use: AddressUse) throws(AddressRefusal) -> CreativeAddress {
    try judge(use) { rule throws(AddressRefusal) in try rule.judge(text, against: pageAddress) }
  }

  /// Judges a complete address; logs the reason of a refusal.
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
        .host, .addressRefused,
        [
          "url": .string(addresses.display(error.url)), "use": .string(use.rawValue),
          "reason": .string(error.code.rawValue),
        ])
      throw error
    }
  }

  /// Form of a creative's address in the log and on the host's pages.
  func shown(_ text: String) -> String {
    addresses.display(PageAddresses.resolve(text, against: pageAddress) ?? text)
  }
}
