package import AdManager
package import Core
package import RenderModel

/// Reads feed files from YAML; faults are `request`/`feed-invalid` and name the line.
package enum FeedFile {
  /// Reads the regular file at a path; the command and the worker both read it, one after the other.
  package static func read(_ path: String, called source: String) throws(Fault) -> FeedSpec {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.regular(path, most: YAMLDocument.maximumBytes)
    } catch {
      throw .request("feed-missing", "can't read the feed \(source): \(error)")
    }
    return try parse(String(decoding: bytes, as: UTF8.self), source: source)
  }

  /// Parses a whole file's text; `source` is its name in error messages.
  package static func parse(_ text: String, source: String) throws(Fault) -> FeedSpec {
    let root = try YAMLDocument(text: text, source: source, kind: "feed").root()
    let sections = ContentKind.all.map(\.name)
    let members = try root.members(
      of: "a feed", allowed: ["title", "kind", "sources", "posts", "features", "history", "requests"] + sections)
    guard let sourcesNode = members["sources"] else { throw root.fault("the feed has no sources") }
    var providers: [any ContentProvider] = []
    for kind in ContentKind.all {
      if let section = members[kind.name] { providers.append(try kind.provider(section)) }
    }
    return FeedSpec(
      title: try members["title"]?.word("title") ?? "Feed", kind: try members["kind"]?.word("kind") ?? "feed",
      sources: try sources(sourcesNode),
      postLimit: try members["posts"].map { node throws(Fault) in try node.wholeNumber("posts", in: 0...1_000) },
      providers: providers, disabled: try members["features"].map(disabled) ?? [],
      history: try members["history"].map(HistoryReader.history) ?? FeedHistory(),
      requests: try members["requests"].map(requests) ?? RequestRules())
  }

  private static func sources(_ node: YAMLNode) throws(Fault) -> FeedSources {
    let members = try node.members(of: "sources", allowed: ["users", "albums", "pictures"])
    func address(_ name: String) throws(Fault) -> String {
      guard let member = members[name] else { throw node.fault("sources has no \(name)") }
      return try member.string(name)
    }
    return FeedSources(
      users: try address("users"), albums: try address("albums"), images: try address("pictures"))
  }

  private static func disabled(_ node: YAMLNode) throws(Fault) -> Set<ContentType> {
    let members = try node.members(of: "features", allowed: ContentKind.all.map(\.name))
    var disabled: Set<ContentType> = []
    for kind in ContentKind.all {
      if let member = members[kind.name], try !member.bool(kind.name) { disabled.insert(kind.type) }
    }
    return disabled
  }

  private static func requests(_ node: YAMLNode) throws(Fault) -> RequestRules {
    let members = try node.members(of: "requests", allowed: ["tries", "delay", "token"])
    var rules = RequestRules()
    if let tries = members["tries"] { rules.backOff.attempts = try tries.wholeNumber("tries", in: 1...10) }
    if let delay = members["delay"] { rules.backOff.first = try delay.number("delay", in: 0...60) * 1_000 }
    rules.token = try members["token"]?.string("token")
    return rules
  }
}

/// Content of a feed file.
package struct FeedSpec: Sendable {
  /// Title of the feed in the app's header.
  package var title: String
  /// Kind of feed among the app's feeds.
  package var kind: String
  package var sources: FeedSources
  /// Maximum number of posts taken from the sources; nil for all.
  package var postLimit: Int?
  /// Providers of content other than posts, in the order in which they decide.
  package var providers: [any ContentProvider]
  /// Kinds of content that are turned off.
  package var disabled: Set<ContentType>
  /// The user's history before the feed is opened.
  package var history: FeedHistory
  package var requests: RequestRules

  /// Rules for ads; nil for a feed without ads.
  package var ads: AdRules? { providers.lazy.compactMap { ($0 as? AdProvider)?.rules }.first }

  /// Returns the assembly of the feed with these posts.
  package func assembly(of posts: [Post]) -> FeedAssembly {
    let shown = postLimit.map { Array(posts.prefix($0)) } ?? posts
    return FeedAssembly(
      providers: [PostProvider(posts: shown)] + providers,
      factories: [PostCellFactory()] + ContentKind.all.map(\.factory), disabled: disabled)
  }
}

/// Kind of content, besides posts, that a feed file can have a section for.
///
/// A new kind is a provider and a factory in files of their own, and a line here.
package struct ContentKind: Sendable {
  /// Name of the section, also among `features`.
  package let name: String
  /// Kind of its slots.
  package let type: ContentType
  /// Reads the section.
  package let provider: @Sendable (YAMLNode) throws(Fault) -> any ContentProvider
  package let factory: any CellFactory

  /// All kinds in the order in which they decide: the notification, which has to be second, is last, so that no later
  /// provider moves it.
  package static let all = [
    ContentKind(
      name: "ads", type: .ad, provider: { node throws(Fault) in try AdProvider(node) }, factory: AdCellFactory()),
    ContentKind(
      name: "survey", type: .survey, provider: { node throws(Fault) in try SurveyProvider(node) },
      factory: SurveyCellFactory()),
    ContentKind(
      name: "notification", type: .notification, provider: { node throws(Fault) in try NotificationProvider(node) },
      factory: NotificationCellFactory()),
  ]
}

/// Rules for the feed's requests.
package struct RequestRules: Hashable, Sendable {
  package var backOff: BackOff
  /// Token sent as `Authorization: Bearer`; nil for none.
  package var token: String?

  /// Creates rules for three attempts without a token, unless given otherwise.
  package init(backOff: BackOff = BackOff(), token: String? = nil) {
    self.backOff = backOff
    self.token = token
  }
}

extension YAMLNode {
  /// Reads a whole number between two bounds, both included.
  func wholeNumber(_ what: String, in range: ClosedRange<Int>) throws(Fault) -> Int {
    let value = try number(what, in: Double(range.lowerBound)...Double(range.upperBound))
    guard let whole = Int(exactly: value) else { throw fault("\(what) must be a whole number, found \(value.plain)") }
    return whole
  }

  /// Reads a list of texts that has at least one.
  func texts(_ what: String) throws(Fault) -> [String] {
    guard let elements, !elements.isEmpty else { throw fault("\(what) must be a list, found \(kind)") }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else { throw element.fault("\(what) must be texts, found \(element.kind)") }
      texts.append(text)
    }
    return texts
  }

  func bool(_ what: String) throws(Fault) -> Bool {
    guard case .bool(let value) = scalar else { throw fault("\(what) must be true or false, found \(kind)") }
    return value
  }

  /// Reads a non-empty word, which may look like a number, as versions do.
  func word(_ what: String) throws(Fault) -> String {
    guard let text, !text.isEmpty else { throw fault("\(what) must be text, found \(kind)") }
    return text
  }

  /// Reads a size such as `300x250` in dip, each side 1–2000.
  func size(_ what: String) throws(Fault) -> Size {
    let sides = (text ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy((1...2_000).contains) else {
      throw fault("\(what) must be like 300x250, each side from 1 to 2000")
    }
    return Size(width: Double(sides[0]), height: Double(sides[1]))
  }
}
