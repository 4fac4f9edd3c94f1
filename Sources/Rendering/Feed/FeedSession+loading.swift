internal import AdManager
internal import Core
internal import Creatives
internal import Feed
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

extension FeedSession {
  /// Reads rules, creatives and sources, and has the feed drawn at its top.
  func load() async throws(Fault) {
    let spec = try await render.clock.hold { () async throws(Fault) in try await Self.read(reference) }
    self.spec = spec
    situation = FeedSituation(kind: spec.kind, history: spec.history)
    for creative in reference.creatives {
      let bundle = await render.clock.hold { await Self.open(creative) }
      creatives.append(FeedCreative(reference: creative, bundle: bundle))
    }
    posts = try await loadPosts(spec)
    pictures = Set(posts.compactMap(\.picture))
    note("posts", ["count": .number(Double(posts.count))])
    serve()
    try await build()
    watchAds()
    render.photographer.seenAds = { [weak self] in
      guard let self else { return [] }
      return ads.filter { self.isInSight($0) }.compactMap { $0.session?.context.views.page.rawValue }
    }
    context.loadEnd = .success(())
    render.recorder.wakeWaiters()
  }

  /// Puts the feed together for the situation as it is, and draws it anew.
  func build() async throws(Fault) {
    guard let spec else { return }
    let contents = spec.assembly(of: posts).contents(in: situation)
    tell(contents.decisions)
    tearDown()
    chosen = [:]
    ads = contents.cells.compactMap { cell in
      cell.ad.map { FeedAd(id: cell.id, place: $0, rotation: spec.ads?.rotation) }
    }
    markup = FeedPage.html(title: spec.title, cells: contents.cells)
    render.stage.remove(.feed)
    let page = pages.make(.feed, .host, owner: nil)
    document = FeedDocument(page: page)
    page.view.load(context.addresses.hostPage("/index.html"))
    guard await render.recorder.wait(.seconds(20), until: { page.isLoaded }) else {
      throw .engine("feed-not-drawn", "the feed's page didn't load")
    }
    render.stage.scroll(to: 0)
    try await measure()
  }

  /// Every decision goes into the log, in the order in which it was made.
  func tell(_ decisions: [FeedDecision]) {
    for decision in decisions {
      var detail: [String: JSONValue] = [
        "provider": .string(decision.type.rawValue), "placed": .bool(decision.position != nil),
        "reason": .string(decision.reason),
      ]
      if let position = decision.position { detail["position"] = .number(Double(position)) }
      note("decision", .object(detail))
    }
  }

  /// Looks where everything stands now, and moves the ads there.
  func measure() async throws(Fault) {
    geometry = try await document?.measure() ?? geometry
    placeAds()
  }

  /// The chain of promises that makes posts of the three sources, with the end of it in one place.
  private func loadPosts(_ spec: FeedSpec) async throws(Fault) -> [Post] {
    let loader = PostLoader(sources: spec.sources) { [sender, network] source in
      sender.send(AdRequest(url: source)) { network.get($0) }
    }
    do {
      return try await loader.posts().value()
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .request("feed-source-missing", "\(reference.argument): \(error)")
    }
  }

  private func serve() {
    let folder = folder
    context.serveContainer()
    render.webSession.serve(host: context.addresses.host) { [weak self] path in
      let name = String(path.split(separator: "?").first ?? "/").dropFirst()
      if name == "index.html" {
        return SchemeResponse(mimeType: "text/html; charset=utf-8", body: Array((self?.markup ?? "").utf8))
      }
      if name == "feed.css" { return SchemeResponse(mimeType: "text/css", body: FeedPage.style) }
      // Ads can ask as well, and what else lies in the folder is no business of theirs.
      guard let file = name.removingPercentEncoding, self?.pictures.contains(file) == true,
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
