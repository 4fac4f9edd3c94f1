internal import AdExperience
internal import Bundles
internal import Jobs
internal import MRAID

/// What something that a creative names is loaded as; the raw values are the log's words.
enum AddressUse: String, Sendable {
  case secondPart, clickthrough, video, wrapper, media, companion, icon, beacon
}

extension RenderSession {
  /// What decides which addresses are loaded on the creative's behalf.
  private var rule: AddressRule { AddressRule(addresses: addresses, reach: job.options.network) }

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
      recorder.record(
        .host, "addressRefused",
        named([
          "url": .string(addresses.display(error.url)), "use": .string(use.rawValue),
          "reason": .string(error.code.rawValue),
        ]))
      throw error
    }
  }

  /// How the log and the host's pages name what a creative wrote.
  func shown(_ text: String) -> String {
    addresses.display(PageAddresses.resolve(text, against: pageAddress) ?? text)
  }
}
