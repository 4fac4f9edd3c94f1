internal import AdManager
internal import Creatives
internal import Foundation
internal import WebKitRuntime

/// Tells when nothing is left to do at the present instant, in the pages and on the way to and from them.
@WebKitActor final class Rest {
  private let time: VirtualTime
  private let surroundings: RenderClock.Surroundings
  /// What pages had asked for when it was last given up.
  private var givenUp: Loads?

  /// How long, of the machine's time, nothing may come of what pages have asked others for before it isn't waited for.
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
    return await loadsCome()
  }

  /// Whether time passes though something that a page asked for hasn't come.
  var goesOnWithoutLoads: Bool { surroundings.loads().open > 0 }

  /// Whether nothing is on its way to a page that has rested at this activity.
  func isStillIdle(since activity: Int) -> Bool {
    let loads = surroundings.loads()
    return self.activity == activity && (loads.open == 0 || loads == givenUp)
  }

  /// Everything that has happened with the views, as a number that rises.
  var activity: Int { surroundings.views().reduce(0) { $0 + $1.activity } }

  /// Waits for the network as long as it gives something; false when it has.
  private func loadsCome() async -> Bool {
    let loads = surroundings.loads()
    guard loads.open > 0, loads != givenUp else { return true }
    let begin = ContinuousClock.now
    let patience = loads.hasOwn ? Self.ownPatience : Self.patience
    while surroundings.loads() == loads {
      if ContinuousClock.now - begin >= patience {
        givenUp = loads
        return true
      }
      guard (try? await Task.sleep(for: Self.interval)) != nil else { return false }
    }
    return false
  }
}

extension RenderContext {
  /// What the clock looks at before it lets time pass.
  var surroundings: RenderClock.Surroundings {
    RenderClock.Surroundings(
      views: { [weak self] in
        guard let pages = self?.stage.pages else { return [] }
        return pages.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value.view)
      },
      loads: { [weak self] in
        (self?.stage.pages.values).map { pages in
          Rest.Loads(
            open: pages.reduce(0) { $0 + $1.openLoads }, total: pages.reduce(0) { $0 + $1.view.resources.count },
            hasOwn: pages.contains(where: \.hasOwnLoads))
        } ?? Rest.Loads(open: 0, total: 0, hasOwn: false)
      },
      paints: { [weak self] in
        // Until something of a page was seen, what it has to tell of its first paint is still to come.
        guard let self, !capture.screenshots.isEmpty, !mayHaveMovingImage else { return true }
        return stage.pages.values.contains {
          $0.view.isComposited || $0.view.snapshots > 0 || $0.openLoads > 0
        }
      })
  }
}

extension AdContext {
  /// Notes a resource that may move once it is painted; other pages may show it without asking for it again.
  func noteImage(_ load: ResourceLoad) {
    guard render.clock.isVirtual, !load.hasNoBody, !render.mayHaveMovingImage else { return }
    render.mayHaveMovingImage = MovingImage.mayBe(mimeType: load.mimeType, body: body(of: load.url))
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

  /// Whether a resource may be one; `body` is what came, nil when that isn't known.
  static func mayBe(mimeType: String, body: [UInt8]?) -> Bool {
    if still.contains(mimeType) { return false }
    if mimeType == "image/png" { return body.map(isAnimatedPNG) ?? true }
    return unknown.contains(mimeType) || !others.contains { mimeType.hasPrefix($0) }
  }

  /// An animated PNG says so before its first picture, among chunks that are small.
  private static func isAnimatedPNG(_ body: [UInt8]) -> Bool {
    body.firstRange(of: Array("acTL".utf8)) != nil
  }
}
