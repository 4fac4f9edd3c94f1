/// What a page's films wait for the engine with, in stepped time.
struct FilmWaits {
  /// Whether the page has had films that wait.
  private(set) var haveBeenSeen = false
  /// Waits that haven't ended.
  private(set) var count = 0
  private var givenUp = 0

  /// A film begins to wait, or goes on.
  mutating func hear(_ mark: FilmMark) {
    haveBeenSeen = true
    switch mark {
    case .waits: count += 1
    case .goesOn:
      count = max(0, count - 1)
      givenUp = 0
    }
  }

  /// Whether waiting for them is worth while: some haven't been given up.
  var areAwaited: Bool { count > givenUp }

  /// Those that wait now aren't waited for until one of them goes on.
  mutating func giveUp() { givenUp = count }
}
