internal import AdManager
internal import Core
internal import Device
internal import MRAID
internal import WebKitRuntime

/// One web view of a render and the bridge's channel into it.
@WebKitActor final class AdPage {
  let id: AdViewID
  /// The part whose bridge runs in it, nil for the browser.
  let part: AdPart?
  let view: WebView
  private let scripts: PageScripts
  private let turns: PageTurns
  /// What the turns know it by.
  let number: Int
  /// Whether it is a film's end card, whose clicks are the ad's.
  var isCard = false
  /// Whether measuring code of a film runs in it, and nothing else.
  var isMeasuring = false
  /// Whether the page shows what the ad's maker made, rather than something of the host's.
  var isAds: Bool { part != nil || isCard }
  /// Set once its first navigation was allowed, its document began to arrive, and everything of it is there.
  var hasStarted = false
  var hasCommitted = false
  private(set) var isLoaded = false
  /// How far its document's load is, as to what counts as done by it.
  private(set) var loadPhase = LoadPhase.loading
  /// Whether it had asked for files that weren't there at its load event: what it does with them is part of its load.
  private var hasMoreToGet = false
  /// What its document has passed, whether or not all of it is there.
  private var marks: Set<LoadMessage> = []
  /// Whether its document has told of its first paint; only in stepped time.
  var hasPainted = false
  /// Documents its main frame went to.
  private(set) var documents = 0
  /// While it dispatches the host's events: what it does then comes of them.
  var isAnswering = false
  /// Where its main frame was last stopped from going.
  var refusedAddress: String? { didSet { wasStopped = true } }
  /// Whether its document was stopped from going elsewhere. The engine ends the load of one that tries before its load
  /// event, which then never comes.
  private(set) var wasStopped = false
  /// Whether a request is that of the navigation that was stopped: how far it came is chance.
  func wasRefused(_ load: ResourceLoad) -> Bool { (load.redirects.first ?? load.url) == refusedAddress }
  /// Where a frame of it was last allowed to go; when the main frame's load starts, that is where it goes.
  var lastAllowed: NavigationRequest?
  /// Hears that time goes on though something that a page asked for hasn't come.
  var timeWentOn: (@WebKitActor () -> Void)?
  /// How loading its document went.
  var documentLoad: ResourceLoad?
  /// What it asked for and didn't get, by the address that was asked for.
  private var missing: [String: ResourceLoad] = [:]
  /// The most of them that are kept: it is for the few that the host has put into a page.
  private static let mostMissing = 100

  /// Notes how loading something went.
  func logEvent(_ load: ResourceLoad) {
    guard load.failure != nil || load.status >= 400, missing.count < Self.mostMissing else { return }
    missing[load.redirects.first ?? load.url] = load
  }

  /// Why what it asked for at this address didn't come; nil when it did, or is still on its way.
  func failure(of url: String) -> String? {
    guard let load = missing[url] else { return nil }
    return load.failure ?? "answered with status \(load.status)"
  }

  /// Input that it has had, as long as the frames in which it does what follows aren't over.
  var freshInput = 0
  /// What its films wait for the engine with.
  var films = VideoWaits()
  static let mostOpenSockets = 200
  /// Web sockets that are neither open nor refused yet.
  var openSockets: [OpenRequest] = []
  /// Whether its compositor has had the time to show its document.
  var hasBeenComposed = false
  /// How its document asks to be laid out.
  var viewport = Viewport()
  /// Logs its resources; the browser's aren't the creative's.
  let network: NetworkLog?

  init(id: AdViewID, part: AdPart?, view: WebView, scripts: PageScripts, network: NetworkLog?, turns: PageTurns) {
    self.turns = turns
    number = turns.enter()
    self.network = network
    self.id = id
    self.part = part
    self.view = view
    self.scripts = scripts
  }

  /// Its main frame goes to another document.
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

  /// Its main frame's document is there; false when it was already.
  func endLoad() -> Bool {
    guard !isLoaded else { return false }
    isLoaded = true
    // The document itself is told after its load event where it asks for nothing else.
    hasMoreToGet = openOwnResources.contains { $0 != view.url }
    continueLoading()
    return true
  }

  /// The document has run its load event's tasks, or drawn its first frame after them.
  func pass(_ mark: LoadMessage) {
    marks.insert(mark)
    if mark == .tasks { hasMoreToGet = hasMoreToGet || !ownResourcesHaveEnded }
    continueLoading()
  }

  /// Whether it has done all that counts as done by its load.
  var hasDoneLoadWork: Bool { marks.contains(.frame) }

  /// Nothing it does is part of its load any more, unless it goes on to another document.
  func settleLoad() { if isLoaded { loadPhase = .settled } }

  private func continueLoading() {
    guard isLoaded, !hasMoreToGet else { return }
    if hasDoneLoadWork { loadPhase = .settled } else if marks.contains(.tasks) { loadPhase = .drawing }
  }

  /// Whether every file of the creative's that the page asked for has come.
  var ownResourcesHaveEnded: Bool { network == nil || openOwnResources.isEmpty }

  private var openOwnResources: [String] {
    view.resources.open.values.map(\.url).filter { url in Self.ownSchemes.contains { url.hasPrefix("\($0):") } }
  }

  /// Of files of the creative's, and of what pages and addresses have in themselves: nothing of it comes over a network.
  private static let ownSchemes = [WebSession.scheme, "about", "data"]

  /// Whether everything the page asked for has come or failed.
  var resourcesHaveEnded: Bool { network.map { $0.ended >= view.resources.count } ?? true }

  /// What it has asked for and not got: resources, and its document until all of it is there.
  var openLoads: Int {
    (isLoading ? 1 : 0) + (network.map { view.resources.count - $0.ended + openSockets.count } ?? 0) + films.count
  }

  /// The requests among them.
  var openRequests: [OpenRequest] { network == nil ? [] : view.resources.open.values + openSockets }

  /// Whether its document is there but for images that nobody answers for.
  var waitsForImagesAlone: Bool {
    hasCommitted && isLoading && films.count == 0
      && !openRequests.isEmpty && openRequests.allSatisfy { $0.purpose == .image && $0.isUnanswered }
  }

  /// Whether its document isn't there yet, or not all of it.
  var isLoading: Bool { view.hasLoads && !isLoaded }

  /// Whether some of that is on this machine.
  var hasOwnLoads: Bool { !ownResourcesHaveEnded || films.count > 0 }

  /// The event that its films hear, where time is stepped.
  var videosEvent: String? { films.haveBeenSeen ? PageScripts.videosEvent(scripts.channel) : nil }

  /// The event that asks it for timers that are still to come, where time is stepped.
  var timersEvent: String { PageScripts.timersEvent(scripts.channel) }

  /// Whether the page has handled everything delivered.
  var isIdle: Bool { turns.isIdle(number) }

  /// Tells the page and the frames it can reach that the device was turned, in the same order.
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

  /// Runs a user's script in the page's own world, in a task that counts as nobody's doing, and returns what it does.
  func evaluate(_ script: String, _ arguments: [String: String] = [:]) async throws(ScriptError) -> String {
    try await view.call("await window[\"\(scripts.task)\"];\n\(script)", arguments, world: .page)
  }

  /// What the document's `meta` element of a name says; empty when there is none, or the page can't be asked.
  func meta(_ name: String) async -> String {
    let script = "return String(document.querySelector(`meta[name=\"${name}\" i]`)?.content ?? '').slice(0, 200)"
    return await (try? view.call(script, ["name": name])) ?? ""
  }

  /// Tells the player in the page something; nobody waits for it.
  ///
  /// What the host calls counts as a person's doing, without which a film with sound wouldn't play.
  func sendPlayerCommand(_ call: String) {
    Task { @WebKitActor [script = order(call), view] in _ = try? await view.call(script, world: .page) }
  }

  /// The same, until the player has done it.
  func callPlayer(_ call: String) async { _ = try? await view.call("await \(order(call))", world: .page) }

  private func order(_ call: String) -> String { "window[\"\(scripts.channel)\"].\(call)" }

  /// What can be tapped in the page, as text; nil when it can't be asked.
  func inventory() async -> String? {
    guard scripts.inventory != nil else { return nil }
    return try? await view.call("return await galley.survey()")
  }

  /// Asks for nothing: by its answer, the page has handled what came before.
  func answer(done: @escaping @WebKitActor () -> Void) { turns.hand(PageDelivery(script: "", done: done), to: self) }
}

/// What the host's own script in a page posts on the way, so that it stands among the page's messages in order.
enum LoadMessage: String {
  case tasks = "load-tasks"
  case frame = "load-frame"

  /// Runs in the host's world from each document's start.
  ///
  /// A frame that is late isn't waited for, lest the page's own timers count as its load on a busy machine only.
  static let script = """
    (() => {
      const after = (time, then) => setTimeout(then, time);
      const post = (mark) => webkit.messageHandlers.galley.postMessage(`host ${mark}`);
      const isHidden = Object.getOwnPropertyDescriptor(Document.prototype, "hidden").get;
      const draw = (then) => {
        let isOver = false;
        const end = () => { if (!isOver) { isOver = true; then(); } };
        if (isHidden.call(document)) return end();
        requestAnimationFrame(end);
        after(50, end);
      };
      addEventListener("load", () => {
        // The page's listeners may come after this one, and queue tasks after this one's.
        after(0, () => after(0, () => {
          post("\(tasks.rawValue)");
          draw(() => after(0, () => post("\(frame.rawValue)")));
        }));
      });
    })();
    """
}

/// What a document tells of its painting, in stepped time.
enum PaintMessage: String {
  /// Something that people see as content: text, a picture, a drawing.
  case first = "painted"

  /// Runs in the host's world from the main document's start.
  static let script = """
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      observer.disconnect();
      webkit.messageHandlers.galley.postMessage("host \(first.rawValue)");
    }).observe({ type: "paint", buffered: true });
    """
}

/// What a page's films wait for the engine with, in stepped time.
struct VideoWaits {
  /// Whether the page has had films that wait.
  private(set) var haveBeenSeen = false
  /// Waits that haven't ended.
  private(set) var count = 0
  private var givenUp = 0

  /// A film begins to wait, or goes on.
  mutating func receive(_ mark: VideoMessage) {
    haveBeenSeen = true
    switch mark {
    case .waits: count += 1
    case .goesOn:
      count = max(0, count - 1)
      givenUp = 0
    }
  }

  /// Whether waiting for them is worth while: some haven't been given up.
  var areAwaited: Bool { count > givenUp }

  /// Those that wait now aren't waited for until one of them goes on.
  mutating func giveUp() { givenUp = count }
}

/// What the script in each frame says of films in stepped time, which waits for them.
enum VideoMessage: String {
  case waits = "film-waits"
  case goesOn = "film-goes-on"
}
