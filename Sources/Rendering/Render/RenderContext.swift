internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import FoundationEssentials
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Objects that all ads and pages of one render share: the job, its time, the log, the screen and the outcome.
@EngineActor final class RenderContext {
  let job: RenderJob
  /// Addresses of the creative's own files, which the log names alike in all sessions.
  let addresses: PageAddresses
  let clock: RenderClock
  let recorder: Recorder
  /// Queue of the pages' actions and of the host's reactions to them.
  let turns: PageEventDispatcher
  let webSession: WebSession
  /// Network access; nil where pages connect directly.
  let gateway: EgressGateway?
  /// Traffic through a recorder; nil where there is none.
  let traffic: Traffic?
  /// Consent signals of the user for pages and addresses; nil for none.
  let consent: ConsentSignals?
  /// View whose web process was started in advance.
  let prewarmedView: WebView?
  /// Indicates if a compositor draws the creative's pages.
  let isComposited: Bool
  /// Indicates if WebGL may leave out frames of which no picture is taken.
  let mayLeaveOutFrames: Bool
  let stage: StageController
  let capturer: ScreenshotCapturer
  let modalManager: ModalManager
  let playedVideos: VideoPauser
  let browser: BrowserController
  /// Measurements of the ad; nil unless the job asks for them.
  let meter: Meter?
  /// Camera that makes the recording of the screen; nil unless the job asks for one.
  private(set) var camera: FilmCamera?
  /// Ad or feed that is shown.
  weak var content: (any AdContent)?

  /// Reason why the render can't go on; the first one counts.
  private(set) var failure: Fault?
  /// Run that ends all waiting tasks immediately on a failure; nil while it hasn't begun or is over.
  weak var run: RenderRun?
  /// Requirement for another attempt, set once this attempt turns out to be of no use.
  private(set) var rerun: Rerun?
  /// Set when nothing may happen any more.
  var isOver = false
  var warnings: [String]
  /// States that ads went through, and the transitions between them.
  private(set) var states: [MRAIDState] = []
  private(set) var transitions: [RenderRecord.Transition] = []
  /// Steps of the scenario so far; nil without one.
  var steps: [RenderRecord.Step]?
  /// Number of videos that have passed their midpoint.
  private(set) var midpoints = 0
  /// Addresses whose answers time no longer waited for, because it was too late.
  var missed: Set<String> = []
  /// Indicates if a page has loaded an image that may be animated.
  var mayHaveMovingImage = false
  /// Number of images reported in warnings because the engine ends them early.
  var movingImageWarnings = 0

  /// - Parameter addresses: addresses of the creative's own files, which the log names alike in all sessions.
  init(
    job: RenderJob, lease: SessionLease, addresses: PageAddresses, folder: ResultFolder, writer: EventWriter,
    clock: RenderClock, screen: Screen, attempt: RenderAttempt, encoder: ScreenEncoder
  ) {
    self.job = job
    self.addresses = addresses
    self.clock = clock
    isComposited = attempt.isComposited
    mayLeaveOutFrames = attempt.mayLeaveOutFrames
    consent = job.consent.map { ConsentSignals($0, date: job.options.date ?? Date().timeIntervalSince1970) }
    warnings = job.warnings
    webSession = lease.session
    gateway = lease.gateway
    traffic = lease.traffic
    traffic?.attach(to: clock)
    prewarmedView = lease.prewarmedView
    recorder = Recorder(writer: writer, addresses: addresses, clock: clock)
    turns = PageEventDispatcher(recorder: recorder)
    stage = StageController(screen: screen, clock: clock)
    capturer = ScreenshotCapturer(
      stage: stage, recorder: recorder, folder: folder, clock: clock,
      mindsDepth: job.options.compositing == .automatic, encoder: encoder)
    modalManager = ModalManager(presenter: stage, listener: DelegateLogger(recorder: recorder))
    playedVideos = VideoPauser(recorder: recorder)
    browser = BrowserController(
      followsClickthroughs: job.options.followsClickthroughs, recorder: recorder, stage: stage, turns: turns,
      playedVideos: playedVideos, modals: modalManager)
    meter = job.options.measures && job.placement.kind != .feed ? Meter(clock: clock) : nil
    playedVideos.ads = { [weak self] in self?.content?.sessions.map(\.video) ?? [] }
    meter?.attach(to: self)
    camera = job.options.film.map { FilmCamera(self, $0, folder: folder) }
    capturer.attach(to: self)
  }

  /// Ends the render for this reason, unless it has already ended for another.
  func fail(_ fault: Fault) {
    guard failure == nil else { return }
    failure = fault
    turns.close()
    recorder.record(.host, .failure, ["code": .string(fault.code), "message": .string(fault.message)])
    run?.unwind()
  }

  /// Ends the render and discards its results, because it has to be repeated.
  func giveUp(for rerun: Rerun, _ fault: Fault) {
    guard failure == nil else { return }
    self.rerun = rerun
    fail(fault)
  }

  /// Ends the render because a web process used more memory than allowed.
  func failForMemory() {
    fail(.creative(RenderRecord.memoryCode, "the creative used more than \(job.limits.memory) MiB of memory"))
  }

  /// Records the transition of an ad to another state, or again to the same.
  func logEvent(_ transition: MRAIDTransition) {
    states.append(transition.to)
    transitions.append(
      RenderRecord.Transition(from: transition.from, to: transition.to, t: recorder.now, cause: transition.cause))
  }

  /// Counts a video that has passed its midpoint.
  func noteMidpoint() { midpoints += 1 }

  /// MRAID state of the active ad; nil if it has none.
  var activeState: MRAIDState? { content?.activeAd?.html.creative?.session.state }

  /// Name of the active ad's state; "none" if it has none.
  var stateName: String { activeState?.rawValue ?? "none" }

  /// Logs the resources that the pages have loaded since the last fixed point.
  func flushNetwork() { content?.flushNetwork() }

  /// Waits until the pages have handled all messages delivered to them; 10 seconds at most.
  func isDelivered() async -> Bool {
    await recorder.wait(.seconds(10)) { [weak self] in self?.stage.pages.values.allSatisfy(\.isIdle) ?? true }
  }
}

/// Content of a render: one ad, or a feed of several; the part that code concerned with the screen has to know.
@EngineActor protocol AdContent: AnyObject {
  /// Factory for the pages of the ad, or for the feed's own page.
  var pages: PageFactory { get }
  /// All ads that exist or are loading, always in the same order.
  var sessions: [AdSession] { get }
  /// Ad that the screen is about; in a feed the one that acted last.
  var activeAd: AdSession? { get }
  /// Names of the ads that can be seen in the feed, which its screenshots list; empty without a feed.
  var adsInSight: [String] { get }
  /// Indicates that no work of the ads is pending.
  var isAtRest: Bool { get }
  /// Logs the resources that the pages have loaded since the last fixed point.
  func flushNetwork()
}

extension AdContent {
  /// Context of the ad, or of the feed's own page.
  var context: AdContext { pages.context }
}
