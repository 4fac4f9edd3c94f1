internal import Core
internal import RenderModel

/// What the ad costs to load. Numbers are the networks'; see the profiles.
enum WeightChecks {
  static let all: [Check] =
    LoadBoundary.Kind.allCases.flatMap { [initialWeight(by: $0), subloadWeight(by: $0)] } + [
      totalWeight, deliveredWeight, resourceWeight, adChoicesWeight, uncompressedText,
    ]

  /// The initial load as one of the four definitions ends it.
  static func initialWeight(by kind: LoadBoundary.Kind) -> Check {
    Check.limit(
      "initial-weight" + suffix(kind), family: .weight, unit: .bytes, title: "Initial load, to \(kind.words)",
      why: "What loads at once stands between a person and the page or app around the ad.",
      remedy: "Compress pictures and scripts, and load what isn't seen at first later.", source: .iab
    ) { context in
      context.load.first { $0.kind == kind }.map {
        [Check.Reading(Double($0.initial.compressed), what: "the initial load (to \(kind.words))")]
      }
    }
  }

  /// What loads after it.
  static func subloadWeight(by kind: LoadBoundary.Kind) -> Check {
    Check.limit(
      "subload-weight" + suffix(kind), family: .weight, unit: .bytes, title: "Subload, after \(kind.words)",
      why: "What loads later still costs data and battery.",
      remedy: "Load less, or wait until a person asks for it.", source: .iab
    ) { context in
      context.load.first { $0.kind == kind }.map {
        [Check.Reading(Double($0.subload.compressed), what: "the subload (after \(kind.words))")]
      }
    }
  }

  /// The IAB's definition has no suffix: it is the one that limits were made for.
  private static func suffix(_ kind: LoadBoundary.Kind) -> String {
    switch kind {
    case .windowLoad: ""
    case .domContentLoaded: "-dom"
    case .domContentLoadedAndOneSecond: "-dom-second"
    case .complete: "-complete"
    }
  }

  static let totalWeight = Check.limit(
    "total-weight", family: .weight, unit: .bytes, title: "Weight in all",
    why: "Everything the ad loads is paid for by the person who sees it.",
    remedy: "Compress pictures and films, cut what isn't used.", source: .iab
  ) { context in
    let total = LoadWeight(context.resources)
    return total.requests == 0 ? nil : [Check.Reading(Double(total.compressed), what: "everything that is loaded")]
  }

  static let deliveredWeight = Check.limit(
    "delivered-weight", family: .weight, unit: .bytes, title: "Size as handed in",
    why: "The network refuses larger uploads.",
    remedy: "Compress pictures, take out what isn't used.", source: .googleAds
  ) { context in
    context.inventory.map {
      [Check.Reading(Double($0.deliveredBytes), what: $0.kind == "zip" ? $0.name : "the creative")]
    }
  }

  static let resourceWeight = Check.limit(
    "resource-weight", family: .weight, unit: .bytes, title: "Single heavy file",
    why: "One file that takes most of the budget is where to begin.",
    remedy: "Scale it to the size it is shown at, and choose a format that compresses better.", source: .iab
  ) { context in
    let resources = context.resources.filter { $0.isWeight && $0.failure == nil }
    guard !resources.isEmpty else { return nil }
    return resources.map { resource in
      let raw = resource.decoded.map {
        $0 == resource.compressed ? "" : " (\(Unit.bytes.text(Double($0))) uncompressed)"
      }
      let name = resource.shortName
      return Check.Reading(Double(resource.compressed), what: name + (raw ?? ""), subject: name)
    }
  }

  static let adChoicesWeight = Check.limit(
    "adchoices-weight", family: .weight, unit: .bytes, title: "AdChoices icon",
    why: "The icon that everyone has to carry must not be a burden.",
    remedy: "Use an icon of a few hundred bytes, as SVG.", source: .iab
  ) { context in
    let icons = context.resources.filter { $0.isWeight && $0.url.lowercased().contains("adchoices") }
    guard !icons.isEmpty else { return nil }
    let weight = icons.map(\.compressed).reduce(0, Bounded.sum)
    return [Check.Reading(Double(weight), what: "AdChoices")]
  }

  static let uncompressedText = Check(
    "uncompressed-text", family: .weight, severity: .warning, title: "Text sent uncompressed",
    why: "Compressed, scripts and styles are a third of their size or less.",
    remedy: "Turn gzip or Brotli on at the server.", source: .iab
  ) { context in
    let sent = context.resources.filter { $0.origin == .network && !$0.responseHeaders.isEmpty }
    guard !sent.isEmpty else { return nil }
    var known: Set<String> = []
    return sent.filter { $0.isUncompressedText && known.insert($0.shortName).inserted }.map {
      CheckIssue("\($0.shortName) is sent uncompressed: \(Unit.bytes.text(Double($0.bytes)))", subject: $0.shortName)
    }
  }
}

extension LoadBoundary.Kind {
  /// What ends the load, for a sentence.
  fileprivate var words: String {
    switch self {
    case .windowLoad: "window load"
    case .domContentLoaded: "DOMContentLoaded"
    case .domContentLoadedAndOneSecond: "DOMContentLoaded + 1 s"
    case .complete: "readyState complete"
    }
  }
}

extension MeasuredResource {
  /// A file of the creative's by its path, everything else by its address without the query.
  var shortName: String {
    let own = "creative://ad/"
    let name = url.prefix { $0 != "?" && $0 != "#" }
    return String(name.hasPrefix(own) ? name.dropFirst(own.count) : name)
  }
}

extension MeasuredResource {
  /// Text above what fits into a packet or two, without an encoding.
  fileprivate var isUncompressedText: Bool {
    let isText =
      type.hasPrefix("text/") || type.hasSuffix("javascript") || type.hasSuffix("json") || type.hasSuffix("xml")
    return isText && failure == nil && bytes > 3_000
      && !responseHeaders.contains { $0.name.lowercased() == "content-encoding" }
  }
}
