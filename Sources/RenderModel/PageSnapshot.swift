package import Core
internal import FoundationEssentials
package import MRAID

/// What stands on the screen at one moment of a render that explores, and what a person could do there.
package struct PageSnapshot: Hashable, Sendable, Codable {
  /// Where a render leaves its observations, in its folder.
  package static let fileName = "observations.json"

  /// How a page comes to rest, as `host/settled` says.
  package enum Rest: String, Sendable, Codable, CaseIterable {
    case stable, endlessAnimation, unstable
  }

  /// What the step calls it.
  package var moment: String
  package var state: MRAIDState
  /// Kinds of the modal stack, bottom first.
  package var modals: [String]
  /// The address of the browser or player on top, without query and fragment.
  package var opened: String?
  /// The address of the topmost ad's document, without query and fragment; nil when no ad is on the screen.
  package var document: String?
  package var orientation: AppOrientation
  /// Where the host's own close control is, in dip of the screen; nil when there is none.
  package var close: Rect?
  /// Whether all of that control can be seen and tapped; true when there is none.
  package var closeFits: Bool
  package var targets: [TapTarget]
  /// What a finger can move.
  package var surfaces: [SwipeSurface]
  /// What can be filled in.
  package var fields: [EntryField]
  /// Whether the page holds more than was looked at.
  package var isCut: Bool
  /// What is to be read in the ad, line by line.
  package var text: String
  /// What of it stands in frames, which the ad's document doesn't hold.
  package var framedText: String
  /// A hash of the page's markup, form fields, media and focus, numbers read as one sign.
  package var fingerprint: String
  /// The picture's name, as in the record.
  package var picture: String?
  /// Where the ad's picture differs from the one before in the same render; nil where they are alike.
  package var changed: Rect?
  /// How the page came to rest before the picture: only still ones can be compared.
  package var rest: Rest
  /// How many events had been logged, and how often the state had changed.
  package var events: Int
  package var transitions: Int

  package init(
    moment: String, state: MRAIDState, modals: [String] = [], opened: String? = nil, document: String? = nil,
    orientation: AppOrientation = .portrait, close: Rect? = nil, closeFits: Bool = true, targets: [TapTarget] = [],
    surfaces: [SwipeSurface] = [], fields: [EntryField] = [], isCut: Bool = false,
    text: String = "", framedText: String = "", fingerprint: String = "", picture: String? = nil,
    changed: Rect? = nil, rest: Rest = .stable, events: Int = 0, transitions: Int = 0
  ) {
    self.moment = moment
    self.state = state
    self.modals = modals
    self.opened = opened
    self.document = document
    self.orientation = orientation
    self.close = close
    self.closeFits = closeFits
    self.targets = targets
    self.surfaces = surfaces
    self.fields = fields
    self.isCut = isCut
    self.text = text
    self.framedText = framedText
    self.fingerprint = fingerprint
    self.picture = picture
    self.changed = changed
    self.rest = rest
    self.events = events
    self.transitions = transitions
  }

  /// Whether the page reads and stands as it did in another moment, whatever pictures show.
  package func hasSamePage(as other: PageSnapshot) -> Bool {
    fingerprint == other.fingerprint && text == other.text && surfaces.map(\.place) == other.surfaces.map(\.place)
      && surfaces.map(\.shows) == other.surfaces.map(\.shows)
  }
}

/// What makes two moments the same state: not pixels, since ads move, but what stands where and what can be done.
package struct StateSignature: Hashable, Sendable, Codable {
  /// Targets and letters beyond these don't make a state.
  private static let mostTargets = 40
  private static let longestText = 1_000

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

  package init(_ seen: PageSnapshot) {
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
  private static func withoutNumbers(_ text: String) -> String {
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

/// What a page answers the host: JSON in which any number may stand, however large a page can make one.
package enum PageAnswer {
  /// Decodes it with each number held to a size that adds up and fits a whole number; nil for anything else.
  package static func decode<Answer: Decodable>(_ type: Answer.Type = Answer.self, from text: String) -> Answer? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
      let bounded = try? JSONText.bytes(value.bounded)
    else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bounded))
  }
}

extension JSONValue {
  /// The same with each number held within what can be meant.
  package var bounded: JSONValue {
    switch self {
    case .number(let value): .number(Bounded.number(value, in: Bounded.plausible))
    case .array(let elements): .array(elements.map(\.bounded))
    case .object(let members): .object(members.mapValues(\.bounded))
    case .null, .bool, .string: self
    }
  }
}
