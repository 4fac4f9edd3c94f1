internal import Jobs
internal import MRAID

extension Check {
  static let ignoredCustomClose = Check(
    "ignored-custom-close", family: .mraid, severity: .note, title: "useCustomClose",
    why: "MRAID 3 containers draw their own close control whatever the ad wants, so the ad has two there.",
    remedy: "Leave the close control to the container, and keep the top right corner free for it.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    let calls = evidence.events(.creative, "useCustomClose", "setExpandProperties").filter(\.wantsCustomClose)
    return evidence.remarks(on: calls, subject: { $0.event.name }) { "\($0.event.name)() asks for a custom close" }
  }

  static let twoPartExpand = Check(
    "two-part-expand", family: .mraid, severity: .note, title: "Two-part expand",
    why: "MRAID 3 deprecates expand(url): it loads a second page late, and SDKs have broken it more than once.",
    remedy: "Expand without an address and show the larger content of the same document.",
    source: .mraid3
  ) { evidence in
    let calls = evidence.events(.creative, "expand")
    guard !calls.isEmpty else { return nil }
    let twoPart = calls.filter { $0.event.detail["arguments"]?[0]?.string?.isEmpty == false }
    return evidence.remarks(on: twoPart, subject: { _ in "expand" }) {
      "expand(\"\($0.event.detail["arguments"]?[0]?.plain ?? "")\") loads a second page"
    }
  }
}

extension Evidence.Met {
  /// `useCustomClose(true)`, or the same among expand properties.
  var wantsCustomClose: Bool {
    let argument = event.detail["arguments"]?[0]
    return argument?.bool == true || argument?["useCustomClose"]?.bool == true
  }
}
