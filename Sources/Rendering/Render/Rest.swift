internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Foundation
internal import Hosting
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Detects that nothing is left to do at the present instant, in the pages and on the way to and from them.
@EngineActor final class Rest {
  private let time: VirtualTime
  private let surroundings: RenderClock.Surroundings
  /// Loads that were open when waiting was last given up.
  private var givenUp: Loads?
  /// Time left to wait for hosts that don't answer.
  private var budget = SilenceBudget()

  /// Machine time that the load of a document may wait for things that are not visible, before time goes on without
  /// them.
  private static let patience = Duration.seconds(1)
  /// Machine time for resources of this machine itself, which arrive late only when it is busy.
  static let ownPatience = Duration.seconds(5)
  /// Interval of machine time between two looks.
  private static let interval = Duration.milliseconds(1)

  /// Loads that pages wait for.
  struct Loads: Equatable {
    var open: Int
    /// Number of resources that have been asked for so far.
    var total: Int
    /// Number of resources among them whose answers have begun.
    var answers: Int
    /// Indicates that a document hasn't arrived, or not completely.
    var isLoading: Bool
    /// Indicates if part of the open loads is on this machine.
    var hasOwn: Bool
  }

  init(time: VirtualTime, surroundings: RenderClock.Surroundings) {
    self.time = time
    self.surroundings = surroundings
  }

  /// Returns true once everything rests; false if something has happened meanwhile and the caller has to look again.
  ///
  /// A question to a page that stays open although the page has nothing left to do waits for time to pass.
  func waitUntilIdle() async -> Bool {
    let before = activity
    let traffic = surroundings.traffic
    guard await time.settle(networkFirst: traffic?.hasJustSent == true), activity == before else { return false }
    guard let traffic else { return await loadsCome() }
    guard await traffic.turn(time, until: surroundings.lastHold), activity == before else { return false }
    guard await filmsCome(traffic) else { return false }
    givenUp = surroundings.loads()
    if givenUp?.open != 0, !traffic.hasDue { surroundings.wentOn() }
    return true
  }

  /// Indicates if resources that a page asked for are on their way and haven't been given up.
  var awaitsAnswers: Bool {
    let loads = surroundings.loads()
    return loads.open > 0 && loads != givenUp
  }

  /// Indicates that time passes although a resource that a page asked for hasn't arrived.
  var goesOnWithoutLoads: Bool { surroundings.loads().open > 0 }

  /// Indicates that nothing is on its way to pages and that the activity is still this one.
  func isStillIdle(since activity: Int) -> Bool {
    let loads = surroundings.loads()
    return self.activity == activity && (loads.open == 0 || loads == givenUp)
      && surroundings.traffic?.isQuiet(time) != false
  }

  /// Number of all events in the views so far, which only rises.
  var activity: Int { surroundings.views().reduce(0) { $0 + $1.activity } }

  /// Waits while a load holds time; false if something has arrived.
  private func loadsCome() async -> Bool {
    let loads = surroundings.loads()
    guard loads.open > 0, loads != givenUp else { return true }
    let begin = ContinuousClock.now
    while surroundings.loads() == loads {
      let now = ContinuousClock.now
      guard now < holdEnd(of: loads, since: begin) else {
        givenUp = loads
        let requests = surroundings.requests()
        budget.spend(
          on: requests, from: begin, to: now, beyond: ownEnd(of: loads, since: begin), last: surroundings.lastHold)
        if now >= surroundings.lastHold { surroundings.missed(requests) }
        surroundings.wentOn()
        return true
      }
      guard (try? await Task.sleep(for: Self.interval)) != nil else { return false }
    }
    return false
  }

  /// Waits while the engine decodes frames of a video from data that has arrived; false if this had an effect or was
  /// cancelled.
  private func filmsCome(_ traffic: Traffic) async -> Bool {
    let loads = surroundings.loads()
    guard loads.hasOwn, !traffic.hasFilmDue, loads != givenUp else { return true }
    let end = ContinuousClock.now + Self.ownPatience
    let before = activity
    while ContinuousClock.now < end {
      guard surroundings.loads() == loads, activity == before else { return false }
      guard (try? await Task.sleep(for: Self.interval)) != nil else { return false }
    }
    return true
  }

  /// Instant until which open loads hold time, unless one of them arrives before.
  private func holdEnd(of loads: Loads, since begin: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let last = surroundings.lastHold
    return surroundings.requests().compactMap { budget.end(of: $0, since: begin, last: last) }
      .reduce(ownEnd(of: loads, since: begin), max)
  }

  /// Instant until which loads that aren't among the requests hold time.
  private func ownEnd(of loads: Loads, since begin: ContinuousClock.Instant) -> ContinuousClock.Instant {
    begin + (loads.hasOwn ? Self.ownPatience : loads.isLoading ? Self.patience : .zero)
  }
}

extension RenderContext {
  /// Parts of the render that the clock checks before it lets time pass, in a render that began at this machine
  /// instant.
  func surroundings(from began: ContinuousClock.Instant) -> RenderClock.Surroundings {
    RenderClock.Surroundings(
      views: { [weak self] in
        guard let pages = self?.stage.pages else { return [] }
        return pages.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.view)
      },
      loads: { [weak self] in
        (self?.stage.pages.values).map { pages in
          Rest.Loads(
            open: pages.reduce(0) { $0 + $1.openLoads }, total: pages.reduce(0) { $0 + $1.view.resources.count },
            answers: pages.reduce(0) { $0 + $1.view.resources.answers },
            isLoading: pages.contains(where: \.isLoading), hasOwn: pages.contains(where: \.hasOwnLoads))
        } ?? Rest.Loads(open: 0, total: 0, answers: 0, isLoading: false, hasOwn: false)
      },
      requests: { [weak self] in (self?.stage.pages.values).map { $0.flatMap(\.openRequests) } ?? [] },
      lastHold: RequestPatience.last(from: began, timeout: job.limits.timeout),
      missed: { [weak self] in self?.noteMissed($0) },
      wentOn: { [weak self] in self?.stage.pages.values.forEach { $0.timeWentOn?() } },
      paints: { [weak self] in
        guard let self, !mayHaveMovingImage else { return true }
        return stage.pages.values.contains { $0.view.isComposited || paints($0) }
      },
      mayLeaveOutFrames: { [weak self] in
        // A page that paints reads what WebGL has drawn.
        guard let self, mayLeaveOutFrames else { return false }
        return stage.pages.values.allSatisfy { $0.view.isComposited || !mayHaveMovingImage && !paints($0) }
      },
      frameIsMissing: { [weak self] in
        self?.giveUp(for: .drawn, .engine("frame-missing", "a picture needs a frame that WebGL has left out"))
      },
      passFirstLoops: { [weak self] in await self?.passFirstLoops() ?? false },
      traffic: traffic?.isScheduled == true ? traffic : nil)
  }
}

extension RenderContext {
  /// Indicates if a page without a compositor has to paint although no screenshot or recording is being taken.
  ///
  /// Until something of a page was seen, what it has to tell of its first paint is still to come.
  private func paints(_ page: AdPage) -> Bool {
    page.view.snapshots > 0 || page.openLoads > 0 || !(page.hasPainted || !capturer.screenshots.isEmpty)
  }

  /// Maximum number of addresses in warnings; a user who has more such hosts has been warned by then.
  private static let mostMissed = 5

  /// Warns of each request that held time up to the limit. Requests of scripts and players with unknown length don't
  /// hold it that long.
  fileprivate func noteMissed(_ requests: [OpenRequest]) {
    let late = requests.filter { $0.purpose == .part || $0.promisesLength }.sorted { $0.asked < $1.asked }
    for request in late where missed.count < Self.mostMissed {
      let address = addresses.display(request.url)
      guard missed.insert(address).inserted else { continue }
      warnings.append("the virtual clock continued without \(address), which hadn't loaded; use a longer timeout")
    }
  }
}

extension AdContext {
  /// Notes an image that may be animated once it is painted; other pages may show it without asking for it again.
  func noteImage(_ load: ResourceLoad, in page: AdPage) {
    guard render.clock.isVirtual, !load.hasNoBody else { return }
    if let animation = load.animation {
      page.firstLoop.add(animation)
      warn(of: load, animation)
    }
    guard !render.mayHaveMovingImage, !load.isStill else { return }
    render.mayHaveMovingImage = MovingImage.mayBe(
      mimeType: load.mimeType, body: body(of: load.url), bytes: load.bytes)
  }

  /// Warns that the engine shows an animated image otherwise than browsers do.
  ///
  /// The engine counts the first loop, which it passes at once; of an APNG or a WebP possibly only the first frame.
  private func warn(of load: ResourceLoad, _ animation: AnimatedImage) {
    let name = load.url.hasPrefix("data:") ? "an image of type \(load.mimeType)" : addresses.display(load.url)
    let warning: String
    switch (load.mimeType, animation.plays) {
    case ("image/png", _), ("image/apng", _), ("image/webp", _):
      render.clock.noteNondeterminism(.images)
      warning = "\(name) may be a frame ahead of browsers: the engine skips the duration of its first frame"
    case (_, nil): return
    case (_, 1?): warning = "\(name) plays once, but the engine shows its last frame from the start"
    case (_, let plays?): warning = "\(name) plays \(plays) times, but the engine ends it a loop early"
    }
    guard !render.warnings.contains(warning), render.movingImageWarnings < Self.mostImageWarnings else { return }
    render.movingImageWarnings += 1
    render.warnings.append(warning)
  }

  private static let mostImageWarnings = 5

  /// Data of an address that contains it, or of a file of the creative; nil for other addresses.
  private func body(of url: String) -> [UInt8]? {
    if let data = url.firstRange(of: ";base64,"), url.hasPrefix("data:") {
      return Data(base64Encoded: String(url[data.upperBound...])).map { Array($0) }
    }
    return addresses.path(of: url).flatMap { try? bundle.resource(path: $0)?.bytes }
  }
}
