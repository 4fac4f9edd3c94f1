package import Core
package import MRAID

/// What a person does with the ad, step by step.
package struct Scenario: Hashable, Sendable, Codable {
  /// The file it came from, as the caller knows it; named in failures.
  package var source: String
  /// The placement this scenario is written for; the command line's choice wins.
  package var placement: Placement?
  /// What the person has said to being tracked; the command line's choice wins.
  package var consent: Consent?
  /// Whether the app measures by Open Measurement; nil leaves it to the command line.
  package var omid: Bool?
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

  /// One action and the line it stands on.
  package struct Step: Hashable, Sendable, Codable {
    /// From 1.
    package var line: Int
    package var action: Action

    package init(line: Int, action: Action) {
      self.line = line
      self.action = action
    }
  }

  /// What a step does.
  package enum Action: Hashable, Sendable, Codable {
    case wait(WaitCondition)
    case tap(Target)
    case swipe(from: Target, to: Target)
    /// Moves a finger over most of what can be seen of the first match of a selector.
    case swipeOver(String, SwipeDirection)
    /// Types text into what has the focus, or taps `into` first.
    case type(text: String, into: Target?)
    /// Opens a `select` and picks the option that reads so.
    case choose(option: String, from: Target)
    /// Taps the host's close control.
    case close
    case rotate(AppOrientation)
    case background
    case foreground
    /// 0–100, nil for unknown.
    case volume(Double?)
    /// Scrolls the host page so that its offset is this many dip.
    case scroll(to: Double)
    /// Runs script in the ad's page; a promise is waited for, an exception fails the step.
    case evaluate(String)
    /// Takes a picture under this name.
    case screenshot(String)
    case expect([Expectation])
    /// Something happens to the app around a feed.
    case app(AppEvent)
    /// Pictures the screen at rest under this name and notes what is on it; only exploring has such steps, no file.
    case observe(String)
    /// Gives the screen time to be in this state before it is observed; only exploring has such steps, no file.
    case reach(StateSignature)
  }

  /// Where a finger goes.
  package enum Target: Hashable, Sendable, Codable {
    /// The middle of the first match in the topmost ad document.
    case selector(String)
    /// Dip from the screen's top-left.
    case point(Point)
  }

  /// What a wait ends on; it fails after `timeout` seconds.
  package struct WaitCondition: Hashable, Sendable, Codable {
    package enum Condition: Hashable, Sendable, Codable {
      /// The event has been logged `count` times since the render began.
      case event(String, count: Int)
      case state(MRAIDState)
      /// The first match of a selector in the topmost ad document can be seen.
      case visible(String)
      /// Time of the page passes.
      case seconds(Double)
    }
    package var condition: Condition
    package var timeout: Double

    package init(_ condition: Condition, timeout: Double = 5) {
      self.condition = condition
      self.timeout = timeout
    }
  }

  /// One thing that has to hold, or the step fails and the render with it.
  package enum Expectation: Hashable, Sendable, Codable {
    case state(MRAIDState)
    /// The event was logged: exactly `count` times, or at least once when nil; `detail` members must match when given.
    case event(String, count: Int?, detail: JSONValue?)
    /// `mraid` getter results: `currentPosition.width` → 320.
    case property(String, JSONValue)
    /// An expression in the ad's page equals a value.
    case evaluate(String, JSONValue)
  }
}

/// What happens to an app besides what the person does with the ad; only a feed has a history to go by.
package enum AppEvent: Hashable, Sendable, Codable {
  /// The app is started anew.
  case launch
  /// Days pass, without a creative seeing any of it.
  case days(Double)
  /// The app is replaced by this version.
  case update(String)
  /// The person registers with the app, or no longer is registered.
  case register(Bool)
  /// The next request of the app's fails.
  case failNextRequest
  /// There is no network from here on, or there is again.
  case offline
  case online
}
