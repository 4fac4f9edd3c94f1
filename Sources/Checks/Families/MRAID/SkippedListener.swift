internal import Jobs
internal import MRAID

extension Check {
  static let skippedListener = Check(
    "skipped-listener", family: .mraid, severity: .warning, title: "Hides a listener from some containers",
    why: "Where a container walks its list of listeners while they change, the one after a listener that removes "
      + "itself isn't called.",
    remedy: "Listen once with a flag, or remove the listener in a task of its own: setTimeout(…, 0).",
    source: Citation(
      title: "prebid-mobile-android 732", url: "https://github.com/prebid/prebid-mobile-android/pull/732",
      date: "2024-01-04")
  ) { evidence in
    let removals = evidence.events(.creative, "removeEventListener")
    guard evidence.usesMRAID, !evidence.events(.creative, "addEventListener").isEmpty else { return nil }
    let skips = removals.filter { $0.event.detail["skips"]?.bool == true }
    return evidence.remarks(on: skips, subject: { $0.event.detail["arguments"]?[0]?.string ?? "" }) {
      "a listener of \($0.event.detail["arguments"]?[0]?.string ?? "an event") removes itself, and another comes after it"
    }
  }
}
