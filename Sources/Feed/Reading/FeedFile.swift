internal import AdExperience
internal import Core
package import Jobs

/// Reads feed files: YAML in, rules out, or a fault `request`/`feed-invalid` that names the line.
package enum FeedFile {
  /// Reads the file at a path, a regular one: the command and the worker read it, one after the other.
  package static func read(_ path: String, called source: String) throws(Fault) -> FeedSpec {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.regular(path, most: YAMLDocument.maximumBytes)
    } catch {
      throw .request("feed-missing", "can't read the feed \(source): \(error)")
    }
    return try parse(String(decoding: bytes, as: UTF8.self), source: source)
  }

  /// Reads a whole file's text; `source` is what failures call it.
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
      users: try address("users"), albums: try address("albums"), pictures: try address("pictures"))
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
