internal import Jobs

extension Check {
  /// The initial load as one of the four definitions ends it.
  static func initialWeight(by kind: LoadBoundary.Kind) -> Check {
    limit(
      "initial-weight" + suffix(kind), family: .weight, unit: .bytes, title: "Initial load, to \(kind.words)",
      why: "What loads at once stands between a person and the page or app around the ad.",
      remedy: "Compress pictures and scripts, and load what isn't seen at first later.", source: .iab
    ) { evidence in
      evidence.load.first { $0.kind == kind }.map {
        [Reading(Double($0.initial.compressed), what: "the initial load (to \(kind.words))")]
      }
    }
  }

  /// What loads after it.
  static func subloadWeight(by kind: LoadBoundary.Kind) -> Check {
    limit(
      "subload-weight" + suffix(kind), family: .weight, unit: .bytes, title: "Subload, after \(kind.words)",
      why: "What loads later still costs data and battery.",
      remedy: "Load less, or wait until a person asks for it.", source: .iab
    ) { evidence in
      evidence.load.first { $0.kind == kind }.map {
        [Reading(Double($0.subload.compressed), what: "the subload (after \(kind.words))")]
      }
    }
  }

  /// The IAB's definition has no suffix: it is the one that limits were made for.
  private static func suffix(_ kind: LoadBoundary.Kind) -> String {
    switch kind {
    case .windowLoad: ""
    case .domContentLoaded: "-dom"
    case .domContentLoadedAndOneSecond: "-dom-second"
    case .complete: "-complete"
    }
  }
}

extension LoadBoundary.Kind {
  /// What ends the load, for a sentence.
  fileprivate var words: String {
    switch self {
    case .windowLoad: "window load"
    case .domContentLoaded: "DOMContentLoaded"
    case .domContentLoadedAndOneSecond: "DOMContentLoaded + 1 s"
    case .complete: "readyState complete"
    }
  }
}
