/// What becomes of an ad's cell: when it loads, what it shows meanwhile, when another ad takes its turn.
package struct AdCellState: Hashable, Sendable {
  /// Something that happened; times in milliseconds.
  package enum Input: Hashable, Sendable {
    /// The cell is about to be shown: so near the screen that it should load.
    case comesNear
    /// Some of it is on the screen.
    case appears(at: Double)
    /// The next step of a scroll, or whatever else, takes it off the screen.
    case willLeave(at: Double)
    case loaded(at: Double)
    case failed
    /// The ad that was there is no more, and not by its own wish.
    case lost(at: Double)
    /// The time that was asked for by `startRotation` has passed.
    case rotationIsDue(at: Double)
  }

  /// What is to be done, in this order.
  package enum Effect: Hashable, Sendable {
    case load
    /// Puts the ad into the cell.
    case show
    /// Takes the cell's height away.
    case collapse
    /// Has `rotationIsDue` come after so many milliseconds, unless rotation is stopped before.
    case startRotation(after: Double)
    case stopRotation
    /// Gets another ad, which takes the place of this one when it is loaded.
    case rotate
  }

  private enum Content: Hashable {
    case none, loading, loaded, failed
  }

  /// Milliseconds on screen that an ad has; nil for as long as it likes.
  private let turn: Double?
  private var content = Content.none
  private var isOnScreen = false
  /// Milliseconds of its turn that the ad has had, up to `since`.
  private var spent = 0.0
  /// When its time last began to count; nil while it doesn't.
  private var since: Double?

  /// The cell of an ad that another follows after `rotation` seconds on the screen.
  package init(rotation: Double?) { turn = rotation.map { $0 * 1_000 } }

  /// Whether it is of no height.
  package var isCollapsed: Bool { content == .failed }
  /// Whether it shows that something is on its way.
  package var isLoading: Bool { content == .loading }

  /// Notes what happened and says what follows from it.
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
