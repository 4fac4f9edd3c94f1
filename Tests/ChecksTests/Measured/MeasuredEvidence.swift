import Jobs
import MRAID

@testable import Checks

/// Evidence that consists of measurements, for tests of what judges them.
enum MeasuredEvidence {
  static func of(
    _ measurements: Measurements, kind: String = "html", events: [Event] = [], profiles: [Profile] = []
  ) -> Evidence {
    let record = RenderRecord(
      creative: .init(path: "ad.html", kind: kind),
      device: .init(name: "iphone-15", width: 393, height: 852, scale: 3, renderScale: 3),
      placement: .init(kind: .banner, width: 300, height: 250, position: nil), outcome: .completed)
    return Evidence(
      record: record, journeys: [Journey(events: events)], measurements: measurements, profiles: profiles)
  }

  static func measured(
    bytes: Int = 0, samples: [(t: Double, seconds: Double)] = [], motion: MotionMeasure? = nil,
    document: DocumentAudit? = nil, surface: SurfaceAudit? = nil
  ) -> Measurements {
    let resources = [MeasuredResource(url: "creative://ad/film.mp4", origin: .creative, encoded: bytes)]
    let course = samples.map { ProcessorSample(t: $0.t * 1_000, seconds: $0.seconds) }
    let page = PageAudit(
      state: .default, t: 100, picture: "001-default", width: 300, height: 250, document: document, surface: surface)
    return Measurements(
      clock: .real, load: LoadBoundary.all(domContentLoaded: 50, windowLoad: 60, complete: 60, dividing: resources),
      resources: resources,
      heavyAd: HeavyAdBudget(resources: resources, samples: course, activation: nil, end: course.last?.t ?? 0),
      pages: [page], motion: motion)
  }

  /// Watched until `until` seconds, five pictures a second, having changed at these.
  static func motion(until: Double, changes: [Double] = [], flashes: FlashMeasure = FlashMeasure()) -> MotionMeasure {
    MotionMeasure(
      from: 100, until: until * 1_000, pictures: Int(until * 5),
      steps: changes.map { MotionMeasure.Step(t: $0 * 1_000, share: 0.1) }, flashes: flashes)
  }

  static func element(_ kind: String, _ selector: String, width: Double = 50) -> DocumentAudit.Element {
    DocumentAudit.Element(
      kind: kind, selector: selector, text: "", frame: Rect(x: 0, y: 0, width: width, height: width))
  }
}

extension Check {
  /// The messages of what it says; nil when there was nothing to judge.
  func messages(_ evidence: Evidence) throws -> [String]? { try judge(evidence)?.map(\.message) }
}
