extension Check {
  /// What Chrome unloads ads for, as near as another engine can measure it.
  static let heavyAdChecks: [Check] = [heavyNetwork, heavyProcessor, heavyWindow, heavyPace, heavyHeadroom]
}
