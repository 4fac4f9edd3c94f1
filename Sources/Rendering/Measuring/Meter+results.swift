internal import AdExperience
internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension Meter {
  /// What came of it all; the creative's files are read and compressed on the way.
  func measurements(of session: RenderSession) async -> Measurements {
    let meter = ResourceMeter(bundle: session.bundle, addresses: session.addresses)
    let loads = loads.sorted { ($0.part == .one ? 0 : 1, $0.load.index) < ($1.part == .one ? 0 : 1, $1.load.index) }
    let resources = await meter.measure(loads, timeline?.resources ?? [], offset: offset(session))
    return Measurements(
      clock: session.clock.isVirtual ? .virtual : .real, load: boundaries(dividing: resources, session),
      firstPaint: instant(timeline?.firstPaint, session), resources: resources,
      heavyAd: HeavyAdBudget(resources: resources, samples: processor.samples, activation: activation, end: end),
      beforeShown: beforeShown, pages: pages, motion: motion)
  }

  /// The second part's load is one of its own, long after the ad's.
  private func boundaries(dividing resources: [MeasuredResource], _ session: RenderSession) -> [LoadBoundary] {
    LoadBoundary.all(
      domContentLoaded: instant(timeline?.domContentLoaded, session),
      windowLoad: instant(timeline?.windowLoad, session), complete: instant(timeline?.complete, session),
      dividing: resources.filter { $0.part == nil })
  }

  /// An instant of the page's timeline in the render's time.
  private func instant(_ value: Double?, _ session: RenderSession) -> Double? {
    let offset = offset(session) ?? started?.t ?? 0
    return value.map { (($0 + offset) * 10).rounded() / 10 }
  }

  /// Milliseconds of the render at which the page's timeline begins; nil where time is stepped or there is none.
  private func offset(_ session: RenderSession) -> Double? {
    guard let started, let timeline, !session.clock.isVirtual else { return nil }
    // The document begins while the host hears that its load has started.
    return max(0, started.t + timeline.origin - started.date)
  }
}
