package import MRAID

/// What stands on the screen at one moment of a render that explores, and what a person could do there.
package struct Observation: Hashable, Sendable, Codable {
  /// Where a render leaves its observations, in its folder.
  package static let fileName = "observations.json"

  /// How a page comes to rest, as `host/settled` says.
  package enum Rest: String, Sendable, Codable, CaseIterable {
    case still, animating, moving
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
    text: String = "", fingerprint: String = "", picture: String? = nil, changed: Rect? = nil, rest: Rest = .still,
    events: Int = 0,
    transitions: Int = 0
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
    self.fingerprint = fingerprint
    self.picture = picture
    self.changed = changed
    self.rest = rest
    self.events = events
    self.transitions = transitions
  }

  /// Whether the page reads and stands as it did in another moment, whatever pictures show.
  package func hasSamePage(as other: Observation) -> Bool {
    fingerprint == other.fingerprint && text == other.text && surfaces.map(\.place) == other.surfaces.map(\.place)
      && surfaces.map(\.shows) == other.surfaces.map(\.shows)
  }
}
