internal import WebKitRuntime

/// Tells when nothing is left to do at the present instant, in the pages and on the way to and from them.
@WebKitActor final class Rest {
  private let time: SteppedTime
  private let surroundings: RenderClock.Surroundings
  /// What pages had asked for when it was last given up.
  private var givenUp: Loads?

  /// How long, of the machine's time, nothing may come of what pages have asked others for before it isn't waited for.
  private static let patience = Duration.seconds(1)
  /// The same of what this machine itself has at hand, which only comes late when it is busy.
  static let ownPatience = Duration.seconds(5)
  /// How often the machine's time is spent looking.
  private static let interval = Duration.milliseconds(1)

  /// What is on its way from the network.
  struct Loads: Equatable {
    var open: Int
    /// Resources that have been asked for so far.
    var total: Int
    /// Whether some of what is open is on this machine.
    var hasOwn: Bool
  }

  init(time: SteppedTime, surroundings: RenderClock.Surroundings) {
    self.time = time
    self.surroundings = surroundings
  }

  /// Returns true once everything rests, false when something has happened meanwhile and it has to be looked anew.
  ///
  /// A question to a page that stays open though the page has nothing left to do waits for time to pass.
  func comes() async -> Bool {
    let before = activity
    guard await time.settle(), activity == before else { return false }
    return await loadsCome()
  }

  /// Whether time passes though something that a page asked for hasn't come.
  var goesOnWithoutLoads: Bool { surroundings.loads().open > 0 }

  /// Whether nothing is on its way to a page that has rested at this activity.
  func lasts(since activity: Int) -> Bool {
    let loads = surroundings.loads()
    return self.activity == activity && (loads.open == 0 || loads == givenUp)
  }

  /// Everything that has happened with the views, as a number that rises.
  var activity: Int { surroundings.views().reduce(0) { $0 + $1.activity } }

  /// Waits for the network as long as it gives something; false when it has.
  private func loadsCome() async -> Bool {
    let loads = surroundings.loads()
    guard loads.open > 0, loads != givenUp else { return true }
    let begin = ContinuousClock.now
    let patience = loads.hasOwn ? Self.ownPatience : Self.patience
    while surroundings.loads() == loads {
      if ContinuousClock.now - begin >= patience {
        givenUp = loads
        return true
      }
      guard (try? await Task.sleep(for: Self.interval)) != nil else { return false }
    }
    return false
  }
}
