internal import Jobs
internal import MRAID

extension Check {
  /// What the pictures show at once.
  static let blankChecks: [Check] = [blankRender]

  static let blankRender = Check(
    "blank-render", family: .layout, severity: .error, title: "Nothing to be seen",
    why: "The ad shows one colour and nothing else: a person sees an empty box, and somebody pays for it.",
    remedy: "Look at the first picture; see to it that something shows without data from elsewhere.",
    source: .googleHTML5
  ) { evidence in
    guard let measurements = evidence.measurements else { return nil }
    let pictured = measurements.pages.filter { $0.surface != nil }
    guard !pictured.isEmpty else { return nil }
    return pictured.filter { $0.surface?.isBlank == true && !($0.isFirst && measurements.motion?.isBlank == false) }.map
    {
      var remark = Remark("in state \($0.state.rawValue) the ad shows one colour only", subject: $0.state.rawValue)
      remark.screenshot = $0.picture
      return remark
    }
  }
}

extension PageAudit {
  /// Whether it is the state that was watched for motion.
  fileprivate var isFirst: Bool { state == .default }
}
