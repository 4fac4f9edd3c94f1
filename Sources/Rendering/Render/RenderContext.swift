internal import AdManager
internal import Core
internal import Device
internal import FoundationEssentials
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// What all ads and pages of one render have in common: the job, its time, the log, the screen, and how it ended.
@WebKitActor final class RenderContext {
  let job: RenderJob
  /// Of the creative's own files, which the log names alike in all sessions.
  let addresses: PageAddresses
  let clock: RenderClock
  let recorder: Recorder
  /// What the pages do, and when it is acted on.
  let turns: PageTurns
  let webSession: WebSession
  /// The way to the network; nil where pages go by themselves.
  let gateway: EgressGateway?
  /// What goes through a recorder; nil where there is none.
  let traffic: Traffic?
  /// What pages and addresses are told of the person's consent; nil for nothing.
  let consent: ConsentSignals?
  /// A view whose web process was started ahead.
  let prewarmedView: WebView?
  /// Whether a compositor draws the creative's pages.
  let isComposited: Bool
  let stage: StageController
  let capture: ScreenshotCapture
  let modalManager: ModalManager
  let playedVideos: VideoHold
  let browser: BrowserController
  /// Nil unless the job measures.
  let meter: Meter?
  /// Nil unless a film is taken.
  private(set) var camera: FilmCamera?
  /// What is shown.
  weak var content: (any RenderContent)?

  /// Why the render can't go on; the first reason counts.
  private(set) var failure: RenderFailure?
  /// Told of the failure at once, to unwind what waits.
  var onFailure: (() -> Void)?
  /// What another attempt has to be, once it is known that this one is of no use.
  private(set) var rerun: Rerun?
  /// Set when nothing may happen any more.
  var isOver = false
  var warnings: [String]
  /// The states that ads went through, and how.
  private(set) var states: [MRAIDState] = []
  private(set) var transitions: [RenderRecord.Transition] = []
  /// The scenario's steps so far; nil without one.
  var steps: [RenderRecord.Step]?
  /// How many films have passed their middle.
  private(set) var midpoints = 0
  /// The addresses that time went on without, since it was too late to wait for them.
  var missed: Set<String> = []
  /// Whether a page has loaded an image that may move by itself.
  var mayHaveMovingImage = false

  /// - Parameter addresses: of the creative's own files, which the log names alike in all sessions.
  init(
    job: RenderJob, lease: SessionLease, addresses: PageAddresses, folder: ResultFolder, writer: EventWriter,
    clock: RenderClock, screen: Screen, isComposited: Bool, encoder: ScreenshotEncoder
  ) {
    self.job = job
    self.addresses = addresses
    self.clock = clock
    self.isComposited = isComposited
    consent = job.consent.map { ConsentSignals($0, date: job.options.date ?? Date().timeIntervalSince1970) }
    warnings = job.warnings
    webSession = lease.session
    gateway = lease.gateway
    traffic = lease.traffic
    traffic?.attach(to: clock)
    prewarmedView = lease.prewarmedView
    recorder = Recorder(writer: writer, addresses: addresses, clock: clock)
    turns = PageTurns(recorder: recorder)
    stage = StageController(screen: screen, clock: clock)
    capture = ScreenshotCapture(
      stage: stage, recorder: recorder, folder: folder, clock: clock,
      mindsDepth: job.options.compositing == .automatic, encoder: encoder)
    modalManager = ModalManager(presenter: stage, listener: DelegateLogger(recorder: recorder))
    playedVideos = VideoHold(recorder: recorder)
    browser = BrowserController(
      followsClickthroughs: job.options.followsClickthroughs, recorder: recorder, stage: stage, turns: turns,
      playedVideos: playedVideos, modals: modalManager)
    meter = job.options.measures && job.placement.kind != .feed ? Meter(clock: clock) : nil
    playedVideos.ads = { [weak self] in self?.content?.sessions.map(\.video) ?? [] }
    meter?.attach(to: self)
    if job.measuresByOMID {
      stage.onChanged = { [weak self] in
        for session in self?.content?.sessions ?? [] { for one in session.context.measured { one.screenDidChange() } }
      }
    }
    camera = job.options.film.map { FilmCamera(self, $0, folder: folder) }
    capture.onDepth = { [weak self] in
      self?.giveUp(
        for: .composited, .engine("compositor-missing", "the creative has depth, which only a compositor draws"))
    }
  }

  /// Ends the render for this reason, unless it has ended for another.
  func fail(_ outcome: RenderRecord.Outcome, _ fault: Fault) {
    guard failure == nil else { return }
    failure = RenderFailure(outcome: outcome, fault: fault)
    turns.close()
    recorder.record(.host, "failure", ["code": .string(fault.code), "message": .string(fault.message)])
    onFailure?()
  }

  /// Ends the render, whose results nobody sees: it is made again.
  func giveUp(for rerun: Rerun, _ fault: Fault) {
    guard failure == nil else { return }
    self.rerun = rerun
    fail(.failed, fault)
  }

  /// A web process used more than it may.
  func failForMemory() {
    fail(.failed, .creative(RenderRecord.memoryCode, "the creative used more than \(job.limits.memory) MiB of memory"))
  }

  /// An ad went from one state to another, or again to the same.
  func logEvent(_ transition: MRAIDTransition) {
    states.append(transition.to)
    transitions.append(
      RenderRecord.Transition(from: transition.from, to: transition.to, t: recorder.now, cause: transition.cause))
  }

  /// A film has passed its middle.
  func noteMidpoint() { midpoints += 1 }

  /// The MRAID state of the ad that the screen is about; nil where none has come.
  var activeState: MRAIDState? { content?.activeAd?.html.creative?.session.state }

  /// The same in words.
  var stateName: String { activeState?.rawValue ?? "none" }

  /// Logs what the pages have loaded since the last fixed point.
  func flushNetwork() { content?.flushNetwork() }

  /// Waits until the pages have handled what they were told.
  func isDelivered() async -> Bool {
    await recorder.wait(.seconds(10)) { [weak self] in self?.stage.pages.values.allSatisfy(\.isIdle) ?? true }
  }
}

/// What a render shows, an ad or a feed of several: as much as whoever looks at the screen has to know.
@WebKitActor protocol RenderContent: AnyObject {
  /// Makes the pages of the ad, or the feed's own.
  var pages: PageFactory { get }
  /// Every ad that is there or loads, in an order that is always the same.
  var sessions: [AdSession] { get }
  /// The ad that the screen is about: of a feed's the one that did something last.
  var activeAd: AdSession? { get }
  /// Whether nothing of the ads' is under way.
  var isAtRest: Bool { get }
  /// Logs what the pages have loaded since the last fixed point.
  func flushNetwork()
}

extension RenderContent {
  /// Of the ad, or of the feed's own page.
  var context: AdContext { pages.context }
}

/// What has to be otherwise when a creative is rendered again, by what only its page could tell.
enum Rerun: Hashable {
  /// A compositor draws it.
  case composited
  /// The banner has the size that its document says, in dip.
  case sized(Size)
}

/// How a render ended that didn't complete.
struct RenderFailure: Error {
  var outcome: RenderRecord.Outcome
  var fault: Fault
}
