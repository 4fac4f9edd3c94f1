internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import WebKitRuntime

/// Web view of a render, with the bridge's channel into it.
@EngineActor final class AdPage {
  let id: AdViewID
  /// Part of the ad whose bridge runs in the page; nil for other pages.
  let part: AdPart?
  let view: WebView
  private let scripts: PageScripts
  private let turns: PageEventDispatcher
  /// Number that identifies the page in `turns`.
  let number: Int
  /// Indicates that it is a video's end card, whose clicks are the ad's.
  var isCard = false
  /// Indicates that only measuring code of an ad runs in the page.
  var isMeasuring = false
  /// Indicates that the page shows content of the ad, rather than of the host.
  var isAds: Bool { part != nil || isCard }
  /// Set once its first navigation was allowed, its document began to arrive, and the document is complete.
  var hasStarted = false
  var hasCommitted = false
  private(set) var isLoaded = false
  /// Phase of its document's load, which decides on the actions that count as part of the load.
  private(set) var loadPhase = LoadPhase.loading
  /// Indicates that it waited for files at its load event; its use of these is part of the load.
  private var hasMoreToGet = false
  /// Stages that its document has passed, even if it isn't complete.
  private var marks: Set<LoadMessage> = []
  /// Indicates that its document has reported its first paint; only in virtual time.
  var hasPainted = false
  /// Number of documents that its main frame went to.
  private(set) var documents = 0
  /// True while it dispatches the host's events; its actions meanwhile are their consequences.
  var isAnswering = false
  /// Address that its main frame was last stopped from loading.
  var refusedAddress: String? { didSet { wasStopped = true } }
  /// Indicates that its document was stopped from going elsewhere.
  ///
  /// The engine ends the load of a document that tries this before its load event, which then never comes.
  private(set) var wasStopped = false
  /// Indicates if a request is that of the stopped navigation, whose progress is random.
  func wasRefused(_ load: ResourceLoad) -> Bool { (load.redirects.first ?? load.url) == refusedAddress }
  /// Last navigation that was allowed in one of its frames; if the main frame's load starts, it is that one.
  var lastAllowed: NavigationRequest?
  /// Called when time goes on although a resource that a page asked for hasn't arrived.
  var timeWentOn: (@EngineActor () -> Void)?
  /// Result of loading its document; nil until it is known.
  var documentLoad: ResourceLoad?
  /// Failed resources by the address that was requested.
  private var missing: [String: ResourceLoad] = [:]
  /// Maximum number of failed resources that are kept; only the few that the host has put into a page matter.
  private static let mostMissing = 100

  /// Notes a resource that has failed to load.
  func logEvent(_ load: ResourceLoad) {
    guard load.failure != nil || load.status >= 400, missing.count < Self.mostMissing else { return }
    missing[load.redirects.first ?? load.url] = load
  }

  /// Reason why the resource at this address failed; nil if it arrived or is still loading.
  func failure(of url: String) -> String? {
    guard let load = missing[url] else { return nil }
    return load.failure ?? "answered with status \(load.status)"
  }

  /// Number of inputs for which the frames of the page's reaction aren't over.
  var freshInput = 0
  /// Waits of its videos for the engine.
  var films = VideoWaits()
  static let mostOpenSockets = 200
  /// Web sockets that are neither open nor refused yet.
  var openSockets: [OpenRequest] = []
  /// First loops of its images that the engine hasn't passed yet.
  var firstLoop = FirstLoop()
  /// Indicates that its compositor has had the time to show its document.
  var hasBeenComposed = false
  /// Viewport that its document asks for.
  var viewport = Viewport()
  /// Log of its resources; nil for the host's pages, whose resources aren't the creative's.
  let network: NetworkLog?

  init(
    id: AdViewID, part: AdPart?, view: WebView, scripts: PageScripts, network: NetworkLog?, turns: PageEventDispatcher
  ) {
    self.turns = turns
    number = turns.enter()
    self.network = network
    self.id = id
    self.part = part
    self.view = view
    self.scripts = scripts
  }

  /// Resets the state of the load, as the main frame goes to another document.
  func beginLoad() {
    documents += 1
    films = VideoWaits()
    openSockets = []
    freshInput = 0
    hasBeenComposed = false
    isLoaded = false
    marks = []
    hasPainted = false
    hasMoreToGet = false
    wasStopped = false
    loadPhase = .loading
  }

  /// Notes that the main frame's document is complete; false if it was already.
  func endLoad() -> Bool {
    guard !isLoaded else { return false }
    isLoaded = true
    // The document itself is told after its load event where it asks for nothing else.
    hasMoreToGet = openOwnResources.contains { $0 != view.url }
    continueLoading()
    return true
  }

  /// Notes that the document has finished the tasks of its load event, or drawn its first frame after them.
  func pass(_ mark: LoadMessage) {
    marks.insert(mark)
    if mark == .tasks { hasMoreToGet = hasMoreToGet || !ownResourcesHaveEnded }
    continueLoading()
  }

  /// Indicates that it has done all work that counts as part of its load.
  var hasDoneLoadWork: Bool { marks.contains(.frame) }

  /// Ends the load: no later action counts as part of it, unless the page goes to another document.
  func settleLoad() { if isLoaded { loadPhase = .settled } }

  private func continueLoading() {
    guard isLoaded, !hasMoreToGet else { return }
    if hasDoneLoadWork { loadPhase = .settled } else if marks.contains(.tasks) { loadPhase = .drawing }
  }

  /// Indicates that all files of the creative that the page asked for have arrived.
  var ownResourcesHaveEnded: Bool { network == nil || openOwnResources.isEmpty }

  private var openOwnResources: [String] {
    view.resources.open.values.map(\.url).filter { url in Self.ownSchemes.contains { url.hasPrefix("\($0):") } }
  }

  /// Schemes of the creative's files, and of content within pages and addresses, which needs no network.
  private static let ownSchemes = [CreativeScheme.name, "about", "data"]

  /// Indicates that everything the page asked for has arrived or failed.
  var resourcesHaveEnded: Bool { network.map { $0.ended >= view.resources.count } ?? true }

  /// Number of open loads: resources, the document until it is complete, web sockets and waiting videos.
  var openLoads: Int {
    (isLoading ? 1 : 0) + (network.map { view.resources.count - $0.ended + openSockets.count } ?? 0) + films.count
  }

  /// Requests among the open loads.
  var openRequests: [OpenRequest] { network == nil ? [] : view.resources.open.values + openSockets }

  /// Indicates that its document is complete except for images whose hosts don't answer.
  var waitsForImagesAlone: Bool {
    hasCommitted && isLoading && films.count == 0
      && !openRequests.isEmpty && openRequests.allSatisfy { $0.purpose == .image && $0.isUnanswered }
  }

  /// Indicates that its document hasn't arrived, or not completely.
  var isLoading: Bool { view.hasLoads && !isLoaded }

  /// Indicates if some of the open loads are on this machine.
  var hasOwnLoads: Bool { !ownResourcesHaveEnded || films.count > 0 }

  /// Event that asks its documents for audible Web Audio.
  var soundsEvent: String { PageScripts.soundsEvent(scripts.channel) }

  /// Event for its videos in virtual time; nil until it has had videos that wait.
  var videosEvent: String? { films.haveBeenSeen ? PageScripts.videosEvent(scripts.channel) : nil }

  /// Event that asks it for pending timers in virtual time.
  var timersEvent: String { PageScripts.timersEvent(scripts.channel) }

  /// Indicates that the page has handled everything delivered.
  var isIdle: Bool { turns.isIdle(number) }

  /// Reports a rotation of the device to the page and the frames it can reach, always in the same order.
  func turned(to orientation: AppOrientation) {
    let script = """
      const dispatch = (target, type) => EventTarget.prototype.dispatchEvent.call(target, new Event(type));
      const tell = (target) => {
        dispatch(target, name);
        dispatch(target, "orientationchange");
        for (let i = 0; i < target.length; i += 1) {
          try { tell(target[i]); } catch { /* another origin's */ }
        }
      };
      tell(window);
      """
    let name = PageScripts.turnEvent(scripts.channel) + orientation.rawValue
    turns.hand(PageDelivery(script: script, arguments: ["name": name]), to: self)
  }

  /// Runs a user's script in the page's own world, in a task that isn't attributed to a user action, and returns its
  /// result.
  func evaluate(_ script: String, _ arguments: [String: String] = [:]) async throws(ScriptError) -> String {
    try await view.call("await window[\"\(scripts.task)\"];\n\(script)", arguments, world: .page)
  }

  /// Content of the document's `meta` element with a name; empty if there is none, or the page doesn't answer.
  func meta(_ name: String) async -> String {
    let script = "return String(document.querySelector(`meta[name=\"${name}\" i]`)?.content ?? '').slice(0, 200)"
    return await (try? view.call(script, ["name": name])) ?? ""
  }

  /// Sends a command to the player in the page without waiting for it.
  ///
  /// The host's calls count as user activation, without which a video with sound wouldn't play.
  func sendPlayerCommand(_ call: String) {
    Task { @EngineActor [script = order(call), view] in _ = try? await view.call(script, world: .page) }
  }

  /// Sends a command to the player and waits until it is done.
  func callPlayer(_ call: String) async { _ = try? await view.call("await \(order(call))", world: .page) }

  private func order(_ call: String) -> String { "window[\"\(scripts.channel)\"].\(call)" }

  /// Inventory of the page's elements that can be tapped, as text; nil if the page can't be asked.
  func inventory() async -> String? {
    guard scripts.inventory != nil else { return nil }
    return try? await view.call("return await galley.survey()")
  }

  /// Sends an empty request, whose answer shows that the page has handled everything before.
  func answer(done: @escaping @EngineActor () -> Void) { turns.hand(PageDelivery(script: "", done: done), to: self) }
}
