internal import Jobs
internal import MRAID

extension Check {
  static let exposureOnly = Check(
    "exposure-only", family: .mraid, severity: .note, title: "Waits for exposureChange only",
    why: "exposureChange is new in MRAID 3 and some SDKs never send it: an ad that waits for it stays as it is there.",
    remedy: "Listen to viewableChange too, or ask isViewable() when the ad is ready.",
    source: Citation(
      title: "prebid-mobile-android 878", url: "https://github.com/prebid/prebid-mobile-android/issues/878",
      date: "2026-11-21")
  ) { evidence in
    let listens = evidence.events(.creative, "addEventListener")
    let heard = Set(listens.compactMap { $0.event.detail["arguments"]?[0]?.string })
    guard heard.contains("exposureChange") else { return nil }
    guard !heard.contains("viewableChange"), evidence.events(.creative, "isViewable").isEmpty else { return [] }
    return [Remark("it listens to exposureChange, and to viewableChange never")]
  }
}
