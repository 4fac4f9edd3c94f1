internal import Jobs
internal import MRAID

extension Check {
  static let noClickthrough = Check(
    "no-clickthrough", family: .behaviour, severity: .error, title: "No clickthrough",
    why: "Nothing that was tried leads to the advertiser, so nobody can follow the ad.",
    remedy: "Call mraid.open(url) from a tap; in a plain HTML ad, open a link or the click tag.",
    source: .cm360
  ) { evidence in
    guard let exploration = evidence.exploration else { return nil }
    guard !evidence.leadsOut else { return [] }
    guard exploration.isComplete else { return nil }
    return [Remark("nothing that can be tapped leads out of the ad")]
  }

  static let clickWithoutOpen = Check(
    "click-without-open", family: .behaviour, severity: .warning, title: "Click past mraid.open",
    why: "Containers only count and carry out clicks that go through mraid.open(); others may blank the ad.",
    remedy: "Call mraid.open(url) instead of following a link or changing the location.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID, evidence.wasTouched else { return nil }
    let clicks = evidence.events(.page, "navigation", "popup").filter {
      $0.event.detail["gesture"]?.bool == true && $0.event.detail["allowed"]?.bool == false
    }
    return evidence.remarks(on: clicks, subject: { $0.event.name }) {
      "a tap led to \($0.text("url")) past mraid.open()"
    }
  }

  static let clickTag = Check(
    "missing-click-tag", family: .behaviour, severity: .error, title: "No click tag",
    why: "The network puts its own address and counting into the click tag; without one it can't count a click.",
    remedy: "Keep the address in a variable clickTag and open that, or use the network's exit API.",
    source: .cm360,
    needsProfile: true
  ) { evidence in
    let rules = evidence.rules(for: "missing-click-tag")
    guard !rules.isEmpty, !evidence.sources.isEmpty else { return nil }
    let names = ["clicktag", "exitapi", "enabler.exit", "fbplayablead.onctaclick", "mraid.open"]
    let has = evidence.sources.contains { source in
      let text = source.text.lowercased()
      return names.contains { text.contains($0) }
    }
    guard !has else { return [] }
    var remark = Remark("no file names a click tag or an exit API")
    remark.profiles = rules.map(\.profile)
    return [remark]
  }
}

extension Evidence {
  /// Whether anything that happened opened, or tried to open, something outside.
  fileprivate var leadsOut: Bool {
    !events(.creative, "open", "playVideo").isEmpty || !events(.host, "open").isEmpty
      || !events(.page, "popup").isEmpty
      || events(.page, "navigation").contains { $0.event.detail["allowed"]?.bool == false }
  }
}
