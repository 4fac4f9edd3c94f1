internal import Core
internal import RenderModel

/// Size of the data that the ad loads. The limits are the networks'; see the profiles.
enum WeightChecks {
  static let all: [Check] =
    LoadBoundary.Kind.allCases.flatMap { [initialWeight(by: $0), subloadWeight(by: $0)] } + [
      totalWeight, deliveredWeight, resourceWeight, adChoicesWeight, uncompressedText,
    ]

  /// Creates a check of the initial load as ended by one of the four definitions.
  static func initialWeight(by kind: LoadBoundary.Kind) -> Check {
    Check.limit(
      "initial-weight" + suffix(kind), family: .weight, unit: .bytes, title: "Initial load, to \(kind.words)",
      why: "The initial load delays the page or app around the ad.",
      remedy: "Compress images and scripts, and load parts that aren't visible at first later.", source: .iab,
      needs: needs(kind)
    ) { context in
      context.load.first { $0.kind == kind }.map {
        [Check.Reading(Double($0.initial.compressed), what: "the initial load (to \(kind.words))")]
      }
    }
  }

  /// Creates a check of the data loaded after the initial load.
  static func subloadWeight(by kind: LoadBoundary.Kind) -> Check {
    Check.limit(
      "subload-weight" + suffix(kind), family: .weight, unit: .bytes, title: "Subload, after \(kind.words)",
      why: "Data that loads later still costs traffic and battery.",
      remedy: "Load less, or only after a user action.", source: .iab, needs: needs(kind)
    ) { context in
      context.load.first { $0.kind == kind }.map {
        [Check.Reading(Double($0.subload.compressed), what: "the subload (after \(kind.words))")]
      }
    }
  }

  /// Returns the preconditions for a boundary; the log alone has only the window's load event.
  private static func needs(_ kind: LoadBoundary.Kind) -> Set<Precondition> {
    kind == .windowLoad ? .rendered : .measured
  }

  /// Returns the suffix of an id; empty for the IAB's definition, for which limits were made.
  private static func suffix(_ kind: LoadBoundary.Kind) -> String {
    switch kind {
    case .windowLoad: ""
    case .domContentLoaded: "-dom"
    case .domContentLoadedAndOneSecond: "-dom-second"
    case .complete: "-complete"
    }
  }

  static let totalWeight = Check.limit(
    "total-weight", family: .weight, unit: .bytes, title: "Total weight",
    why: "The user pays for all data that the ad loads.",
    remedy: "Compress images and videos, and remove unused parts.", source: .iab, needs: .rendered
  ) { context in
    let total = LoadWeight(context.resources)
    return total.requests == 0 ? nil : [Check.Reading(Double(total.compressed), what: "the whole ad")]
  }

  static let deliveredWeight = Check.limit(
    "delivered-weight", family: .weight, unit: .bytes, title: "Size of the delivered creative",
    why: "The network rejects larger uploads.",
    remedy: "Compress images, and remove unused files.", source: .googleAds, needs: [.files]
  ) { context in
    context.inventory.map {
      [Check.Reading(Double($0.deliveredBytes), what: $0.kind == "zip" ? $0.name : "the creative")]
    }
  }

  static let resourceWeight = Check.limit(
    "resource-weight", family: .weight, unit: .bytes, title: "Heavy file",
    why: "A single heavy file can use most of the weight budget.",
    remedy: "Scale the file to its displayed size, and choose a format that compresses better.", source: .iab,
    needs: .rendered
  ) { context in
    let requests = context.requests.filter { $0.resource.isWeight && $0.resource.failure == nil }
    guard !requests.isEmpty else { return nil }
    return requests.map { request in
      let resource = request.resource
      let raw = resource.decoded.map {
        $0 == resource.compressed ? "" : " (\(Unit.bytes.text(Double($0))) uncompressed)"
      }
      let name = resource.shortName
      return Check.Reading(Double(resource.compressed), what: name + (raw ?? "") + request.way, subject: name)
    }
  }

  static let adChoicesWeight = Check.limit(
    "adchoices-weight", family: .weight, unit: .bytes, title: "Weight of the AdChoices icon",
    why: "Every ad must carry the icon, so the icon must be small.",
    remedy: "Use an icon of a few hundred bytes, as SVG.", source: .iab, needs: .rendered
  ) { context in
    let icons = context.resources.filter { $0.isWeight && $0.url.lowercased().contains("adchoices") }
    guard !icons.isEmpty else { return nil }
    let weight = icons.map(\.compressed).reduce(0, Bounded.sum)
    return [Check.Reading(Double(weight), what: "AdChoices")]
  }

  static let uncompressedText = Check(
    "uncompressed-text", family: .weight, severity: .warning, title: "Text sent uncompressed",
    why: "Compression reduces scripts and styles to a third of their size or less.",
    remedy: "Enable gzip or Brotli on the server.", source: .iab, needs: .measured
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
  /// Name of the event that ends the load, for a sentence.
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
  /// Path of a creative's file as written, or the address of any other without query and fragment.
  var shortName: String {
    let own = "creative://ad/"
    let name = String(url.prefix { $0 != "?" && $0 != "#" })
    return name.hasPrefix(own) ? PercentEscapes.decoded(String(name.dropFirst(own.count))) : name
  }
}

extension MeasuredResource {
  /// Indicates if it is text without content encoding, and larger than a packet or two (3,000 bytes).
  fileprivate var isUncompressedText: Bool {
    let isText =
      type.hasPrefix("text/") || type.hasSuffix("javascript") || type.hasSuffix("json") || type.hasSuffix("xml")
    return isText && failure == nil && bytes > 3_000
      && !responseHeaders.contains { $0.name.lowercased() == "content-encoding" }
  }
}
