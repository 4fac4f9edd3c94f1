package import Core
internal import FoundationEssentials
package import MRAID

/// Contents of the screen at one moment of a render that explores, with the actions that a user could take.
package struct PageSnapshot: Hashable, Sendable, Codable {
  /// Name of the observations' file in a render's folder.
  package static let fileName = "observations.json"

  /// Way in which a page came to rest, as reported by `host/settled`.
  package enum Rest: String, Sendable, Codable, CaseIterable {
    case stable, endlessAnimation, unstable
  }

  /// Name given by the `observe` step.
  package var moment: String
  package var state: MRAIDState
  /// Kinds of the states in the modal stack, bottom first.
  package var modals: [String]
  /// Address of the browser or player on top, without query and fragment; nil if none is open.
  package var opened: String?
  /// Address of the topmost ad's document, without query and fragment; nil if no ad is on the screen.
  package var document: String?
  package var orientation: AppOrientation
  /// Frame of the host's own close control, in dip of the screen; nil if there is none.
  package var close: Rect?
  /// Indicates if the whole control can be seen and tapped; true if there is none.
  package var closeFits: Bool
  package var targets: [TapTarget]
  /// Elements that a finger can move.
  package var surfaces: [SwipeSurface]
  /// Fields that can be filled in.
  package var fields: [EntryField]
  /// Visible part of the largest canvas, in dip of the screen; nil if there is none.
  package var canvas: Rect?
  /// Game that was played since the snapshot before; nil if none was.
  package var game: PlayedGame?
  /// True if the page holds more elements than were examined.
  package var isCut: Bool
  /// Visible text of the ad, line by line.
  package var text: String
  /// Part of that text that is in frames, and so isn't in the ad's document.
  package var framedText: String
  /// Hash of the page's markup, form fields, media and focus; all numbers count as the same character.
  package var fingerprint: String
  /// Name of the screenshot, as in the record.
  package var picture: String?
  /// Area of the ad that differs from the previous image in the same render; nil if the images are equal.
  package var changed: Rect?
  /// Way in which the page came to rest before the screenshot: only still images can be compared.
  package var rest: Rest
  /// Number of events logged so far, and number of state changes.
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

  /// Indicates if the page has the same content and layout as at another moment, regardless of images.
  package func hasSamePage(as other: PageSnapshot) -> Bool {
    fingerprint == other.fingerprint && text == other.text && surfaces.map(\.place) == other.surfaces.map(\.place)
      && surfaces.map(\.shows) == other.surfaces.map(\.shows)
  }
}

/// Key of a state: two moments with equal signatures show the same state.
///
/// Pixels don't count, since ads move; the visible content and the possible actions do.
package struct StateSignature: Hashable, Sendable, Codable {
  /// Maximum numbers of targets and of characters in a signature; further ones are ignored.
  private static let mostTargets = 40
  private static let longestText = 1_000

  private let state: MRAIDState
  private let modals: [String]
  private let opened: String?
  private let document: String?
  private let orientation: AppOrientation
  private let targets: [Target]
  private let surfaces: [Surface]
  /// Names of the fields that have been filled in.
  private let filled: [String]
  private let text: String

  /// Visible content of a carousel.
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

  /// Replaces every run of digits by one character, so that clocks and counters don't make new states.
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

/// Decodes a page's answers to the host: JSON whose numbers may be as large as a page can make them.
package enum PageAnswer {
  /// Decodes an answer, with each number limited so that sums don't overflow and integers fit; nil for anything else.
  package static func decode<Answer: Decodable>(_ type: Answer.Type = Answer.self, from text: String) -> Answer? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
      let bounded = try? JSONText.bytes(value.bounded)
    else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bounded))
  }
}

extension JSONValue {
  /// The same value with each number limited to the plausible range.
  package var bounded: JSONValue {
    switch self {
    case .number(let value): .number(Bounded.number(value, in: Bounded.plausible))
    case .array(let elements): .array(elements.map(\.bounded))
    case .object(let members): .object(members.mapValues(\.bounded))
    case .null, .bool, .string: self
    }
  }
}
