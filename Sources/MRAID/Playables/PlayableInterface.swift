package import Core

/// Interface of an ad network for playables, as the container's data describes it.
package struct PlayableInterface: Hashable, Sendable, Codable {
  /// Effect of a function or word of the interface.
  package enum Role: String, Hashable, Sendable, Codable {
    /// Opens the store's page of the app.
    case store
    /// Informs the network, which logs it.
    case call
    /// Informs the network that the game has ended.
    case end
    /// Returns the ad's size.
    case size
    /// Returns the volume, from 0 to 100.
    case volume
    /// Returns true while the ad is on the screen.
    case isViewable
    /// Returns true once the network is ready.
    case isReady
    /// Adds a listener for an event of the network.
    case addListener
    /// Removes a listener, or all of an event.
    case removeListener
    /// Gives the network a function to call.
    case callback
  }

  /// Functions in the page, by path: `FbPlayableAd.onCTAClick`.
  package var functions: [String: Role] = [:]
  /// Words that the page posts to its parent window.
  package var messages: [String: Role] = [:]
  /// Calls of the network into the page.
  package var sends: [PlayableSend] = []

  /// First moment in `sends` that can't come, as the network has no such function; nil for none.
  var unknownMoment: String? {
    sends.flatMap(\.when).first { PlayableSend.Moment(rawValue: $0) == nil && functions[$0] == nil }
  }

  /// Returns the effect of a call as it is logged; nil for one that the network doesn't know.
  package func role(of call: String) -> Role? {
    functions[call] ?? messages.first { Self.call(posting: $0.key) == call }?.value
  }

  /// Call as which a word to the parent window is logged.
  static func call(posting word: String) -> String { "parent.postMessage('\(word)')" }

  /// Members of `window` that the network adds.
  var owns: [String] { Set(functions.keys.map { String($0.prefix { $0 != "." }) }).sorted() }

  /// Interface as the page's script reads it.
  var json: JSONValue {
    let words = Dictionary(uniqueKeysWithValues: messages.keys.map { ($0, JSONValue.string(Self.call(posting: $0))) })
    let kinds = sends.map { ($0.name, JSONValue.string($0.kind.rawValue)) }
    return [
      "functions": .object(functions.mapValues { .string($0.rawValue) }), "messages": .object(words),
      "sends": .object(Dictionary(kinds) { first, _ in first }),
    ]
  }
}

/// Call of a network into the page, and its condition.
package struct PlayableSend: Hashable, Sendable, Codable {
  /// Kind of what is called.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A function of the page, by its name in `window`.
    case function
    /// Listeners of an event.
    case event
    /// A function that the page gave to the network's function of this path.
    case callback
  }

  /// Moment of an ad's life in which a network may call the page; calls of the page are moments as well.
  package enum Moment: String, Hashable, Sendable, Codable, CaseIterable {
    /// The network is ready.
    case ready
    /// The ad has come onto the screen.
    case shown
    /// The ad has left the screen, and so has one in the background.
    case hidden
    /// The ad's size has changed.
    case resized
    /// The volume has changed.
    case volume
    /// The ad was closed.
    case closed
    /// The page called a function of the network wrongly, such as for an unknown event.
    case misuse
  }

  /// Value that stands for one of the ad in arguments.
  enum Variable: String {
    case width = "$width"
    case height = "$height"
    case volume = "$volume"
    /// Reason why the page's call was wrong, and the function's name.
    case message = "$message"
    case action = "$action"
  }

  package var kind: Kind
  package var name: String
  /// Moments, or paths of functions, that must have come; it is sent each time that one of them comes again.
  package var when: [String]
  /// Indicates if it is sent only the first time.
  package var once: Bool
  package var arguments: [JSONValue]

  /// Reads an entry of a data file; nil for one that isn't of its form.
  init?(_ value: JSONValue) {
    guard let kind = value["kind"]?.string.flatMap(Kind.init(rawValue:)), let name = value["name"]?.string,
      !name.isEmpty, let when = value["when"]?.array?.compactMap(\.string), !when.isEmpty,
      when.count == value["when"]?.array?.count
    else { return nil }
    (self.kind, self.name, self.when) = (kind, name, when)
    once = value["once"]?.bool ?? false
    arguments = value["arguments"]?.array ?? []
  }
}
