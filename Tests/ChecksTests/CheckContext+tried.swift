import Checks
import Core
import Exploration
import MRAID
import RenderModel

extension CheckContext {
  /// Creates the evidence of a banner for all networks on which everything was tried, and nothing is wrong.
  static func tried(_ profiles: [Profile] = [], change: (inout CheckContext) -> Void = { _ in }) -> CheckContext {
    let page = """
      <meta name="ad.size" content="width=300,height=250"><meta name="ad.orientation" content="portrait">
      <script src="mraid.js"></script><script>var clickTag = "https://shop.example/"; mraid.open(clickTag)</script>
      """
    let asked = MeasuredResource(url: "mraid.js", origin: .container, status: 200)
    return .made(
      [
        event(.page, "loadFinished"), call("getState"), event(.host, "rotate", ["to": "landscape", "allowed": true]),
        event(.input, "tap", ["x": 1, "y": 1]), call("open", "https://shop.example/", gesture: true),
      ],
      files: [.document(page)], explored: ExploredStates(actions: 4), resources: [asked], profiles: profiles
    ) {
      $0.measurements?.beforeShown = EarlyPlayback(media: 0, animations: 0)
      $0.measurements?.motion = MotionMeasure(from: 0, until: 16_000, frames: 80, steps: [])
      let surface = SurfaceAudit(isBlank: false, hasBorder: true, whiteEdge: 0, blackEdge: 0)
      $0.measurements?.pages = [
        PageAudit(
          state: .default, t: 0, width: 300, height: 250, document: DocumentAudit(language: "en", title: "Sale"),
          surface: surface)
      ]
      $0.late = LateBehaviour(watch: LateWatch(firstEvent: 9, from: 20_000, until: LateWatch.end))
      $0.outages = []
      $0.record.omid = true
      $0.record.consent = .refused
      change(&$0)
    }
  }

  /// Returns the evidence without what a precondition asks for; nil if no single part of it can be left out.
  func without(_ precondition: Precondition) -> CheckContext? {
    var context = self
    switch precondition {
    case .load:
      context.journeys[0].events = []
      context.record.outcome = .failed
    case .network:
      context.addUnsteered(
        [event(.network, "resource", ["url": "https://cut.example/a.js", "refused": "offline"])], late: nil)
    case .files, .code: context.inventory = nil
    case .measurements:
      context.journeys[0].events += [event(.page, "loadFinished")] + resources.map { Self.request($0.url, $0.status) }
      context.measurements = nil
    case .earlyPlayback: context.measurements?.beforeShown = nil
    case .document: context.measurements?.pages = pages { $0.document = nil }
    case .picture: context.measurements?.pages = pages { $0.surface = nil }
    case .motion: context.measurements?.motion = nil
    case .touch:
      context.exploration = nil
      context.journeys = journeys.map { Journey(action: $0.action, events: $0.events.filter { $0.source != .input }) }
    case .exploration: context.exploration = nil
    case .lateObservation: context.late = nil
    case .outages: context.outages = nil
    case .openMeasurement: context.record.omid = nil
    case .refusedConsent: context.record.consent = nil
    case .plainCode, .loadTime, .size, .clickthrough, .storeCall, .wholeExploration, .secondOrientation, .soundCheck,
      .container:
      return nil
    }
    return context
  }

  private func pages(_ change: (inout PageAudit) -> Void) -> [PageAudit] {
    (measurements?.pages ?? []).map {
      var page = $0
      change(&page)
      return page
    }
  }

  private static func request(_ url: String, _ status: Int) -> Event {
    event(.network, "resource", ["url": .string(url), "status": .number(Double(status))])
  }
}
