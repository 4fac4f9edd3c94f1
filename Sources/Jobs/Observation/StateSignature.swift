internal import MRAID

/// What makes two moments the same state: not pixels, since ads move, but what stands where and what can be done.
package struct StateSignature: Hashable, Sendable, Codable {
  /// Targets and letters beyond these don't make a state.
  package static let mostTargets = 40
  package static let longestText = 1_000

  private let state: MRAIDState
  private let modals: [String]
  private let opened: String?
  private let document: String?
  private let orientation: AppOrientation
  private let targets: [Target]
  private let surfaces: [Surface]
  /// Which fields have been filled in.
  private let filled: [String]
  private let text: String

  /// What a carousel shows.
  private struct Surface: Hashable, Sendable, Codable {
    let element: String
    let place: Point
    let shows: String
  }

  private struct Target: Hashable, Sendable, Codable {
    let element: String
    let reach: TapTarget.Reach
  }

  package init(_ seen: Observation) {
    state = seen.state
    modals = seen.modals
    opened = seen.opened
    document = seen.document
    orientation = seen.orientation
    // What is tried only because it lies somewhere comes and goes with the layout.
    targets = seen.targets.filter { $0.container == nil }.prefix(Self.mostTargets).map {
      Target(element: $0.element, reach: $0.reach)
    }
    surfaces = seen.surfaces.filter(\.isClaimed).map {
      Surface(element: $0.element, place: $0.place, shows: $0.shows)
    }
    filled = seen.fields.filter(\.isFilled).map(\.element)
    text = String(Self.withoutNumbers(seen.text).prefix(Self.longestText))
  }

  /// Every run of digits as one sign, so that clocks and counters don't make states.
  package static func withoutNumbers(_ text: String) -> String {
    var result = ""
    for character in text {
      guard character.isASCII, character.isNumber else {
        result.append(character)
        continue
      }
      if result.last != "#" { result.append("#") }
    }
    return result
  }
}
