internal import Core
internal import Jobs

extension Check {
  static let totalWeight = limit(
    "total-weight", family: .weight, unit: .bytes, title: "Weight in all",
    why: "Everything the ad loads is paid for by the person who sees it.",
    remedy: "Compress pictures and films, cut what isn't used.", source: .iab
  ) { evidence in
    let total = LoadWeight(evidence.resources)
    return total.requests == 0 ? nil : [Reading(Double(total.compressed), what: "everything that is loaded")]
  }

  static let deliveredWeight = limit(
    "delivered-weight", family: .weight, unit: .bytes, title: "Size as handed in",
    why: "The network refuses larger uploads.",
    remedy: "Compress pictures, take out what isn't used.", source: .googleAds
  ) { evidence in
    evidence.inventory.map { [Reading(Double($0.deliveredBytes), what: $0.kind == "zip" ? $0.name : "the creative")] }
  }

  static let resourceWeight = limit(
    "resource-weight", family: .weight, unit: .bytes, title: "Single heavy file",
    why: "One file that takes most of the budget is where to begin.",
    remedy: "Scale it to the size it is shown at, and choose a format that compresses better.", source: .iab
  ) { evidence in
    let resources = evidence.resources.filter { $0.isWeight && $0.failure == nil }
    guard !resources.isEmpty else { return nil }
    return resources.map { resource in
      let raw = resource.decoded.map {
        $0 == resource.compressed ? "" : " (\(Unit.bytes.text(Double($0))) uncompressed)"
      }
      let name = resource.shortName
      return Reading(Double(resource.compressed), what: name + (raw ?? ""), subject: name)
    }
  }

  static let adChoicesWeight = limit(
    "adchoices-weight", family: .weight, unit: .bytes, title: "AdChoices icon",
    why: "The icon that everyone has to carry must not be a burden.",
    remedy: "Use an icon of a few hundred bytes, as SVG.", source: .iab
  ) { evidence in
    let icons = evidence.resources.filter { $0.isWeight && $0.url.lowercased().contains("adchoices") }
    guard !icons.isEmpty else { return nil }
    let weight = icons.map(\.compressed).reduce(0, Bounded.sum)
    return [Reading(Double(weight), what: "AdChoices")]
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
