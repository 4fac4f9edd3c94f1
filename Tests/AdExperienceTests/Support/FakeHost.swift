import AdExperience
import MRAID

/// What an HTML creative finds around it; scheduled actions run when the test says so.
final class FakeHost: CreativeHost, AdTimer {
  let journal: Journal
  let screen: FakeScreen
  let isInterstitial: Bool
  weak var creative: HTMLCreative?
  var canLoadSecondPart = true
  private(set) var hasSecondPart = false
  private(set) var transitions: [MRAIDTransition] = []
  private(set) var scheduled: [(delay: Double, action: () -> Void)] = []
  private(set) var updates: [BridgeUpdate] = []
  private(set) var now = 0.0
  var onLoadFailure: ((AdError) -> Void)?

  init(journal: Journal, screen: FakeScreen, isInterstitial: Bool) {
    self.journal = journal
    self.screen = screen
    self.isInterstitial = isInterstitial
  }

  /// The states the session went through.
  var states: [MRAIDState] { transitions.map(\.to) }

  var geometry: HostGeometry { screen.geometry(of: view, isInterstitial: isInterstitial) }
  var exposure: Exposure { screen.exposure(of: view) }
  private var view: AdViewID { creative?.showsSecondPart == true ? .secondPart : .creative }

  func deliver(_ update: BridgeUpdate, to part: AdPart) {
    updates.append(update)
    for event in update.events {
      let arguments = event.name == "stateChange" || event.name == "viewableChange" ? event.arguments : []
      let words = arguments.map { $0.string ?? String($0.bool ?? false) }
      journal.note(([event.name] + words + (part == .two ? ["part two"] : [])).joined(separator: " "))
    }
  }

  func loadSecondPart(_ url: String) -> Bool {
    guard canLoadSecondPart else { return false }
    hasSecondPart = true
    journal.note("loadSecondPart \(url)")
    return true
  }

  func discardSecondPart() {
    hasSecondPart = false
    journal.note("discardSecondPart")
  }

  func failLoading(_ error: AdError) { onLoadFailure?(error) }

  func apply(_ orientation: OrientationProperties) {
    screen.orientationLocked = !orientation.allowOrientationChange
    if orientation.forceOrientation == .landscape { screen.orientation = .landscape }
    journal.note("apply \(orientation.forceOrientation)")
  }

  func restoreOrientation() {
    screen.orientationLocked = false
    screen.orientation = .portrait
  }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    scheduled.append((milliseconds, action))
  }

  /// Time passes until everything scheduled so far is due.
  func runScheduled() {
    let due = scheduled
    scheduled = []
    now += due.map(\.delay).max() ?? 0
    for (_, action) in due { action() }
  }

  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue) {
    journal.note(([name, detail["command"]?.string] as [String?]).compactMap(\.self).joined(separator: " "))
  }

  func stateChanged(_ transition: MRAIDTransition) { transitions.append(transition) }
}
