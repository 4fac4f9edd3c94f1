internal import AdManager
internal import Creatives
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

/// Tells when nothing is left to do at the present instant, in the pages and on the way to and from them.
@WebKitActor final class Rest {
  private let time: VirtualTime
  private let surroundings: RenderClock.Surroundings
  /// What pages had asked for when it was last given up.
  private var givenUp: Loads?
  /// What is left of the patience with hosts that say nothing.
  private var budget = SilenceBudget()

  /// How long, of the machine's time, a document's load may wait for nothing that is seen before it isn't waited for.
  private static let patience = Duration.seconds(1)
  /// The same of what this machine itself has at hand, which only comes late when it is busy.
  static let ownPatience = Duration.seconds(5)
  /// How often the machine's time is spent looking.
  private static let interval = Duration.milliseconds(1)

  /// What is on its way from the network.
  struct Loads: Equatable {
    var open: Int
    /// Resources that have been asked for so far.
    var total: Int
    /// Those of them whose answers have begun.
    var answers: Int
    /// Whether a document isn't there yet, or not all of it.
    var isLoading: Bool
    /// Whether some of what is open is on this machine.
    var hasOwn: Bool
  }

  init(time: VirtualTime, surroundings: RenderClock.Surroundings) {
    self.time = time
    self.surroundings = surroundings
  }

  /// Returns true once everything rests, false when something has happened meanwhile and it has to be looked anew.
  ///
  /// A question to a page that stays open though the page has nothing left to do waits for time to pass.
  func waitUntilIdle() async -> Bool {
    let before = activity
    guard await time.settle(), activity == before else { return false }
    guard let traffic = surroundings.traffic else { return await loadsCome() }
    guard await traffic.turn(time, until: surroundings.lastHold), activity == before else { return false }
    guard await filmsCome(traffic) else { return false }
    givenUp = surroundings.loads()
    if givenUp?.open != 0, !traffic.hasDue { surroundings.wentOn() }
    return true
  }

  /// Whether something that a page asked for is on its way and hasn't been given up.
  var awaitsAnswers: Bool {
    let loads = surroundings.loads()
    return loads.open > 0 && loads != givenUp
  }

  /// Whether time passes though something that a page asked for hasn't come.
  var goesOnWithoutLoads: Bool { surroundings.loads().open > 0 }

  /// Whether nothing is on its way to a page that has rested at this activity.
  func isStillIdle(since activity: Int) -> Bool {
    let loads = surroundings.loads()
    return self.activity == activity && (loads.open == 0 || loads == givenUp)
      && surroundings.traffic?.isQuiet(time) != false
  }

  /// Everything that has happened with the views, as a number that rises.
  var activity: Int { surroundings.views().reduce(0) { $0 + $1.activity } }

  /// Waits while something that is on its way holds time; false when something has come of it.
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

  /// Waits while the engine makes a film's picture of what has come of it; false when something has come of that.
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

  /// When what is on its way holds time no more, unless something comes of it.
  private func holdEnd(of loads: Loads, since begin: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let last = surroundings.lastHold
    return surroundings.requests().compactMap { budget.end(of: $0, since: begin, last: last) }
      .reduce(ownEnd(of: loads, since: begin), max)
  }

  /// The same of what isn't among the requests.
  private func ownEnd(of loads: Loads, since begin: ContinuousClock.Instant) -> ContinuousClock.Instant {
    begin + (loads.hasOwn ? Self.ownPatience : loads.isLoading ? Self.patience : .zero)
  }
}

extension RenderContext {
  /// What the clock looks at before it lets time pass, in a render that began at this instant of the machine's.
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
        // Until something of a page was seen, what it has to tell of its first paint is still to come.
        let haveBeenSeen = !capture.screenshots.isEmpty
        return stage.pages.values.contains {
          $0.view.isComposited || $0.view.snapshots > 0 || $0.openLoads > 0 || !(haveBeenSeen || $0.hasPainted)
        }
      },
      traffic: traffic?.isScheduled == true ? traffic : nil)
  }
}

extension RenderContext {
  /// Addresses that warnings name; whoever has more such hosts knows by then.
  private static let mostMissed = 5

  /// Warns of each request that held time as long as one may; what a script or a player waits for isn't held so long.
  fileprivate func noteMissed(_ requests: [OpenRequest]) {
    let late = requests.filter { $0.purpose == .part || $0.promisesLength }.sorted { $0.asked < $1.asked }
    for request in late where missed.count < Self.mostMissed {
      let address = addresses.display(request.url)
      guard missed.insert(address).inserted else { continue }
      warnings.append("time went on without \(address), which hadn't come; --timeout allows it more")
    }
  }
}

extension AdContext {
  /// Notes a resource that may move once it is painted; other pages may show it without asking for it again.
  func noteImage(_ load: ResourceLoad) {
    guard render.clock.isVirtual, !load.hasNoBody, !render.mayHaveMovingImage else { return }
    render.mayHaveMovingImage = MovingImage.mayBe(
      mimeType: load.mimeType, body: body(of: load.url), bytes: load.bytes)
  }

  /// What came from an address, where that is in it or in the creative.
  private func body(of url: String) -> [UInt8]? {
    if let data = url.firstRange(of: ";base64,"), url.hasPrefix("data:") {
      return Data(base64Encoded: String(url[data.upperBound...])).map { Array($0) }
    }
    return addresses.path(of: url).flatMap { try? bundle.resource(path: $0)?.bytes }
  }
}

/// Images that may move by themselves: the engine goes on to their next picture when it has painted the last.
enum MovingImage {
  /// Types that never move, those that aren't images, and those that say nothing.
  private static let still: Set<String> = ["image/jpeg", "image/bmp", "image/x-icon", "image/vnd.microsoft.icon"]
  private static let others = ["text/", "font/", "audio/", "video/", "application/"]
  private static let unknown: Set<String> = ["", "text/plain", "application/octet-stream"]

  /// Bytes of the least GIF with two pictures and the time between them; most that count somebody are smaller.
  private static let leastMovingGIF = 50

  /// Whether a resource may be one; `body` is what came, nil when that isn't known, and `bytes` its length, or -1.
  static func mayBe(mimeType: String, body: [UInt8]?, bytes: Int = -1) -> Bool {
    if still.contains(mimeType) { return false }
    if mimeType == "image/gif", (0..<leastMovingGIF).contains(body?.count ?? bytes) { return false }
    if mimeType == "image/png" { return body.map(isAnimatedPNG) ?? true }
    return unknown.contains(mimeType) || !others.contains { mimeType.hasPrefix($0) }
  }

  /// An animated PNG says so before its first picture, among chunks that are small.
  private static func isAnimatedPNG(_ body: [UInt8]) -> Bool {
    body.firstRange(of: Array("acTL".utf8)) != nil
  }
}
