internal import AdManager
internal import Core
internal import Creatives
internal import Feed
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

/// What a feed has to show: its rules, the posts of its sources and its creatives, put together as the situation wants.
@WebKitActor final class FeedSources {
  private let context: AdContext
  private let reference: FeedReference
  /// The app's own network, which sources come by.
  let network: AppNetwork
  /// Where the feed's file is, and what it names.
  private let folder: String
  /// What the feed's file says, once it is read.
  private(set) var spec: FeedSpec?
  /// What the rules go by.
  var situation = FeedContext(kind: "feed")
  /// The creatives, or why one can't be opened, in the order in which they fill slots.
  private(set) var creatives: [FeedCreative] = []
  /// All that the sources have, whether or not the rules show it.
  private var posts: [Post] = []
  /// The files of the feed's folder that its page may load.
  private var images: Set<String> = []
  /// What the page is, as it is served.
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

  /// The chain of promises that makes posts of the three sources, with the end of it in one place.
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
    logEvent("posts", ["count": .number(Double(posts.count))])
  }

  /// The feed for the situation as it is; every decision goes into the log, in the order in which it was made.
  func contents() -> FeedContents? {
    guard let spec else { return nil }
    let contents = spec.assembly(of: posts).contents(in: situation)
    for decision in contents.decisions {
      var detail: [String: JSONValue] = [
        "provider": .string(decision.type.rawValue), "placed": .bool(decision.position != nil),
        "reason": .string(decision.reason),
      ]
      if let position = decision.position { detail["position"] = .number(Double(position)) }
      logEvent("decision", .object(detail))
    }
    return contents
  }

  private func logEvent(_ name: String, _ detail: JSONValue) { context.render.recorder.record(.feed, name, detail) }

  /// Serves these cells as the feed's page from now on.
  func show(_ contents: FeedContents) { markup = FeedPage.html(title: spec?.title ?? "", cells: contents.cells) }

  /// Answers for the feed's page and what it shows.
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
  /// What it is, or why it can't be opened.
  let bundle: Result<CreativeBundle, Fault>
}
