/// State of an ad's cell: it decides on loading, on the content shown meanwhile, and on the rotation of ads.
package struct AdCellState: Hashable, Sendable {
  /// Event of the cell; times in milliseconds.
  package enum Input: Hashable, Sendable {
    /// The cell is about to be shown: it is so near to the screen that it should load.
    case comesNear
    /// A part of the cell is on the screen.
    case appears(at: Double)
    /// The cell is about to leave the screen, by the next step of a scroll or otherwise.
    case willLeave(at: Double)
    case loaded(at: Double)
    case failed
    /// The ad in the cell is gone without having unloaded itself.
    case lost(at: Double)
    /// The time that `startRotation` requested has passed.
    case rotationIsDue(at: Double)
  }

  /// Action that follows from an event, in this order.
  package enum Effect: Hashable, Sendable {
    case load
    /// Puts the ad into the cell.
    case show
    /// Reduces the cell's height to zero.
    case collapse
    /// Requests `rotationIsDue` after this number of milliseconds, unless rotation is stopped before.
    case startRotation(after: Double)
    case stopRotation
    /// Loads another ad, which replaces this one when it is loaded.
    case rotate
  }

  private enum Content: Hashable {
    case none, loading, loaded, failed
  }

  /// Milliseconds on screen that an ad has until the next one; nil for no limit.
  private let turn: Double?
  private var content = Content.none
  private var isOnScreen = false
  /// Milliseconds of its time that the ad has been on screen, up to `since`.
  private var spent = 0.0
  /// Time from which the ad's time on screen is counted; nil while it isn't counted.
  private var since: Double?

  /// Creates the cell of an ad that another one follows after `rotation` seconds on the screen, nil for never.
  package init(rotation: Double?) { turn = rotation.map { $0 * 1_000 } }

  /// Indicates that the cell has no height.
  package var isCollapsed: Bool { content == .failed }
  /// Indicates that the cell shows that its ad is loading.
  package var isLoading: Bool { content == .loading }

  /// Handles an event and returns the actions that follow from it.
  package mutating func handle(_ input: Input) -> [Effect] {
    switch input {
    case .comesNear: return begin()
    case .appears(let now):
      guard !isOnScreen else { return [] }
      isOnScreen = true
      return begin() + startRotation(now)
    case .willLeave(let now):
      guard isOnScreen else { return [] }
      isOnScreen = false
      return stopRotation(now)
    case .loaded(let now):
      guard content == .loading else { return [] }
      content = .loaded
      return [.show] + startRotation(now)
    case .failed:
      guard content == .loading else { return [] }
      content = .failed
      return [.collapse]
    case .lost(let now):
      guard content == .loaded else { return [] }
      content = .failed
      return stopRotation(now) + [.collapse]
    case .rotationIsDue(let now):
      guard let turn, let since, spent + now - since >= turn - 0.5 else { return [] }
      self.since = now
      spent = 0
      return [.rotate, .startRotation(after: turn)]
    }
  }

  private mutating func begin() -> [Effect] {
    guard content == .none else { return [] }
    content = .loading
    return [.load]
  }

  private mutating func startRotation(_ now: Double) -> [Effect] {
    guard let turn, content == .loaded, isOnScreen, since == nil else { return [] }
    since = now
    return [.startRotation(after: max(0, turn - spent))]
  }

  private mutating func stopRotation(_ now: Double) -> [Effect] {
    guard let since else { return [] }
    spent += now - since
    self.since = nil
    return [.stopRotation]
  }
}
