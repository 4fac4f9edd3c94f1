internal import AdManager
internal import Core
internal import Creatives
internal import Engine
internal import Feed
internal import Foundation
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Content of a feed: its rules, the posts of its sources and its creatives, combined for the situation.
@EngineActor final class FeedSources {
  private let context: AdContext
  private let reference: FeedReference
  /// Simulated network of the app, which carries the sources.
  let network: AppNetwork
  /// Folder of the feed's file, and of the files that it names.
  private let folder: String
  /// Content of the feed's file; nil until it is read.
  private(set) var spec: FeedSpec?
  /// Situation that the rules depend on.
  var situation = FeedContext(kind: "feed")
  /// Creatives, or the reason why one can't be opened, in the order in which they fill slots.
  private(set) var creatives: [FeedCreative] = []
  /// All posts of the sources, even if the rules don't show them.
  private var posts: [Post] = []
  /// Files of the feed's folder that its page may load.
  private var images: Set<String> = []
  /// HTML of the page as it is served.
  private var markup = ""

  init(_ context: AdContext, _ reference: FeedReference) {
    self.context = context
    self.reference = reference
    folder = reference.path.lastIndex(of: "/").map { String(reference.path[..<$0]) } ?? "."
    network = AppNetwork(folder: folder, session: context.render.webSession, clock: context.render.clock)
  }

  /// Reads the rules and opens the creatives.
  func read() async throws(Fault) {
    let clock = context.render.clock
    let spec = try await clock.hold { () async throws(Fault) in try await Self.read(reference) }
    self.spec = spec
    situation = FeedContext(kind: spec.kind, history: spec.history)
    for creative in reference.creatives {
      let bundle = await clock.hold { await Self.open(creative) }
      creatives.append(FeedCreative(reference: creative, bundle: bundle))
    }
  }

  /// Loads the posts of the three sources; an error of any of them is thrown here.
  func loadPosts(by sender: RequestSender) async throws(Fault) {
    guard let spec else { return }
    let loader = PostLoader(sources: spec.sources) { [network] source in
      sender.send(AdRequest(url: source)) { network.get($0) }
    }
    do {
      posts = try await loader.posts().value()
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .request("feed-source-missing", "\(reference.argument): \(error)")
    }
    images = Set(posts.compactMap(\.image))
    logEvent(.posts, ["count": .number(Double(posts.count))])
  }

  /// The feed for the present situation; all decisions are logged in their order. Nil until the rules are read.
  func contents() -> FeedContents? {
    guard let spec else { return nil }
    let contents = spec.assembly(of: posts).contents(in: situation)
    for decision in contents.decisions {
      var detail: [String: JSONValue] = [
        "provider": .string(decision.type.rawValue), "placed": .bool(decision.position != nil),
        "reason": .string(decision.reason),
      ]
      if let position = decision.position { detail["position"] = .number(Double(position)) }
      logEvent(.decision, .object(detail))
    }
    return contents
  }

  private func logEvent(_ name: Event.Name, _ detail: JSONValue) { context.render.recorder.record(.feed, name, detail) }

  /// Serves these cells as the feed's page from now on.
  func show(_ contents: FeedContents) { markup = FeedPage.html(title: spec?.title ?? "", cells: contents.cells) }

  /// Serves the feed's page and the files that it shows.
  func serve() {
    let folder = folder
    context.serveContainer()
    context.render.webSession.serve(host: context.addresses.host) { [weak self] path in
      let name = String(path.split(separator: "?").first ?? "/").dropFirst()
      if name == "index.html" {
        return SchemeResponse(mimeType: "text/html; charset=utf-8", body: Array((self?.markup ?? "").utf8))
      }
      if name == "feed.css" { return SchemeResponse(mimeType: "text/css", body: FeedPage.style) }
      // Ads can ask as well, and what else lies in the folder is no business of theirs.
      guard let file = name.removingPercentEncoding, self?.images.contains(file) == true,
        let bytes = try? AppNetwork.file(file, in: folder)
      else {
        return .notFound
      }
      return SchemeResponse(mimeType: MediaType.of(path: file), body: bytes)
    }
  }

  @concurrent private nonisolated static func read(_ reference: FeedReference) async throws(Fault) -> FeedSpec {
    try FeedFile.read(reference.path, called: reference.argument)
  }

  @concurrent private nonisolated static func open(
    _ reference: CreativeReference
  ) async -> Result<CreativeBundle, Fault> {
    Result { () throws(Fault) in try CreativeBundle.open(reference) }
  }
}

/// One of the creatives that fill a feed's slots in turn.
struct FeedCreative {
  let reference: CreativeReference
  /// The opened creative, or the reason why it can't be opened.
  let bundle: Result<CreativeBundle, Fault>
}
