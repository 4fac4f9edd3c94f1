package import Core
package import MRAID

/// The user's actions on the ad, step by step.
package struct Scenario: Hashable, Sendable, Codable {
  /// The file of the scenario as the caller named it; used in failures.
  package var source: String
  /// The placement for which the scenario is written; the command line's choice has priority.
  package var placement: Placement?
  /// The user's choice about tracking; the command line's choice has priority.
  package var consent: Consent?
  /// True if the app measures by Open Measurement; nil leaves the choice to the command line.
  package var omid: Bool?
  /// True if the scenario came with the creative; nil if the caller chose it.
  package var comesWithCreative: Bool?
  package var steps: [Step]

  package init(
    source: String, placement: Placement? = nil, consent: Consent? = nil, omid: Bool? = nil, steps: [Step]
  ) {
    self.consent = consent
    self.omid = omid
    self.source = source
    self.placement = placement
    self.steps = steps
  }

  /// One action and its line in the file.
  package struct Step: Hashable, Sendable, Codable {
    /// From 1.
    package var line: Int
    package var action: Action

    package init(line: Int, action: Action) {
      self.line = line
      self.action = action
    }
  }

  /// Action of a step.
  package enum Action: Hashable, Sendable, Codable {
    case wait(WaitCondition)
    /// Taps a target; fails if another element would receive the tap.
    case tap(Target)
    /// Taps the first match of a selector even if another element may cover it.
    case tapCovered(String)
    /// Touches a target for so many seconds before the finger lifts.
    case press(Target, seconds: Double)
    case swipe(from: Target, to: Target)
    /// Moves a finger over most of the visible part of the first match of a selector.
    case swipeOver(String, SwipeDirection)
    /// Types text into the focused element, or taps `into` first.
    case type(text: String, into: Target?)
    /// Opens a `select` and chooses the option with this text.
    case choose(option: String, from: Target)
    /// Taps the host's close control.
    case close
    case rotate(AppOrientation)
    case background
    case foreground
    /// Sets the volume, 0–100; nil for unknown.
    case volume(Double?)
    /// Scrolls the host page to this offset in dip.
    case scroll(to: Double)
    /// Runs a script in the ad's page; a promise is awaited, an exception fails the step.
    case evaluate(String)
    /// Takes a screenshot with this name.
    case screenshot(String)
    case expect([Expectation])
    /// Causes an event of the app around a feed.
    case app(AppEvent)
    /// Takes a screenshot at rest with this name and records the screen's contents; used by exploring, not in files.
    case observe(String)
    /// Waits for the screen to reach this state before it is observed; used only by exploring, not in files.
    case reach(StateSignature)
    /// Plays the game on the ad's canvas, which the next observation tells; used only by exploring, not in files.
    case play(GameBudget)
  }

  /// Target of a finger.
  package enum Target: Hashable, Sendable, Codable {
    /// The middle of the first match in the topmost ad's document.
    case selector(String)
    /// A point in dip from the screen's top-left corner.
    case point(Point)
  }

  /// Condition that ends a wait; the wait fails after `timeout` seconds.
  package struct WaitCondition: Hashable, Sendable, Codable {
    package enum Condition: Hashable, Sendable, Codable {
      /// The event has been logged `count` times since the render began.
      case event(String, count: Int)
      case state(MRAIDState)
      /// The first match of a selector in the topmost ad's document is visible.
      case visible(String)
      /// So many seconds of the page's time have passed.
      case seconds(Double)
    }
    package var condition: Condition
    package var timeout: Double

    package init(_ condition: Condition, timeout: Double = 5) {
      self.condition = condition
      self.timeout = timeout
    }
  }

  /// Condition that must hold; otherwise the step fails, and the render with it.
  package enum Expectation: Hashable, Sendable, Codable {
    case state(MRAIDState)
    /// The event was logged exactly `count` times, or at least once if nil; given members of `detail` must match.
    case event(String, count: Int?, detail: JSONValue?)
    /// A result of an `mraid` getter equals a value: `currentPosition.width` → 320.
    case property(String, JSONValue)
    /// An expression in the ad's page equals a value.
    case evaluate(String, JSONValue)
  }
}

/// Event of the app apart from the user's actions on the ad; only a feed has a history that it can affect.
package enum AppEvent: Hashable, Sendable, Codable {
  /// The app is restarted.
  case launch
  /// Days pass without any creative running.
  case days(Double)
  /// The app is updated to this version.
  case update(String)
  /// The user registers with the app, or with false no longer is registered.
  case register(Bool)
  /// The app's next request fails.
  case failNextRequest
  /// The network is gone from now on, or is back.
  case offline
  case online
}
