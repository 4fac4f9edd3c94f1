internal import Jobs

extension Check {
  static let initialRequests = limit(
    "initial-requests", family: .requests, unit: .requests, title: "Requests in the initial load",
    why: "Each request costs a round trip before the ad is there.",
    remedy: "Inline what is small, join pictures and scripts, load the rest later.", source: .iab
  ) { evidence in
    evidence.load.first { $0.kind == .windowLoad }.map {
      [Reading(Double($0.initial.requests), what: "the initial load")]
    }
  }

  static let totalRequests = limit(
    "total-requests", family: .requests, unit: .requests, title: "Requests in all",
    why: "Each request costs time, data and battery.",
    remedy: "Join files, and ask trackers and libraries for less.", source: .dv360
  ) { evidence in
    let total = LoadWeight(evidence.resources).requests
    return total == 0 ? nil : [Reading(Double(total), what: "the ad")]
  }

  static let fileCount = limit(
    "file-count", family: .requests, unit: .files, title: "Files in the bundle",
    why: "The network refuses bundles with more.",
    remedy: "Join pictures and scripts, take out what isn't used.", source: .cm360
  ) { evidence in
    evidence.inventory.flatMap { $0.isWhole ? [Reading(Double($0.files.count), what: "the bundle")] : nil }
  }

  static let documentCount = limit(
    "single-file", family: .requests, unit: .files, title: "One file and nothing else",
    why: "The network's SDK stores and shows a single document: what lies beside it is missing there.",
    remedy: "Inline scripts and styles, and pictures, fonts and films as data addresses.", source: .unity
  ) { evidence in
    guard let inventory = evidence.inventory else { return nil }
    // mraid.js is the container's, in every bundle.
    let files = inventory.files.filter { !$0.path.lowercased().hasSuffix("mraid.js") }
    return [Reading(Double(files.count), what: "the creative")]
  }

  static let bundleName = limit(
    "bundle-name", family: .requests, unit: .characters, title: "Length of the zip's name",
    why: "The network refuses longer names.", remedy: "Shorten the file's name.", source: .googleAds
  ) { evidence in
    guard let inventory = evidence.inventory, inventory.kind == "zip" else { return nil }
    return [Reading(Double(inventory.name.count), what: inventory.name)]
  }
}
