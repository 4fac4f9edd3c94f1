internal import Jobs

extension Check {
  static let orientationMeta = Check(
    "missing-orientation-meta", family: .requests, severity: .error, title: "No ad.orientation",
    why: "The network shows the ad by what its ad.orientation or ad.size meta element says.",
    remedy: "Add <meta name=\"ad.orientation\" content=\"portrait,landscape\">, or one of the two.",
    source: Citation(
      title: "Google Ads: HTML5 and playable ads for App campaigns",
      url: "https://support.google.com/google-ads/answer/9981650", date: "2026-11-21"),
    needsProfile: true
  ) { evidence in
    let rules = evidence.rules(for: "missing-orientation-meta")
    guard !rules.isEmpty, let inventory = evidence.inventory else { return nil }
    guard let text = inventory.files.first(where: { $0.path == inventory.entry })?.text else { return nil }
    guard !text.contains("ad.orientation"), !text.contains("ad.size") else { return [] }
    var remark = Remark(
      "the document has neither ad.orientation nor ad.size", place: Finding.Place(file: inventory.entry, line: 1))
    remark.profiles = rules.map(\.profile)
    return [remark]
  }

  static let audioVideo = Check(
    "sound-or-film", family: .requests, severity: .error, title: "Sound or film",
    why: "The network takes neither in this kind of ad.",
    remedy: "Show pictures or a drawing instead.", source: .googleHTML5, needsProfile: true
  ) { evidence in
    let rules = evidence.rules(for: "sound-or-film")
    guard !rules.isEmpty else { return nil }
    let loaded = evidence.resources.filter { $0.type.hasPrefix("audio/") || $0.type.hasPrefix("video/") }
    var known: Set<String> = []
    return loaded.filter { known.insert($0.shortName).inserted }.map {
      var remark = Remark("\($0.shortName) is \($0.type)", subject: $0.shortName)
      remark.profiles = rules.map(\.profile)
      return remark
    }
  }
}
