internal import Core
package import Jobs
internal import MRAID

extension Evidence {
  /// What the ad asked for: as measured, else as the render's log has it; without what the host itself stopped.
  package var resources: [MeasuredResource] {
    let all =
      measurements?.resources ?? events.filter { $0.source == .network && $0.name == "resource" }.map(Self.resource)
    return all.filter { $0.failure?.lowercased().contains("cancelled") != true }
  }

  /// The initial load by each boundary that is known; without measurements only the window's load event is.
  package var load: [LoadBoundary] {
    if let measurements { return measurements.load }
    let end = events.first { $0.source == .page && $0.name == "loadFinished" }?.t
    return end.map { [LoadBoundary(kind: .windowLoad, t: $0, dividing: resources)] } ?? []
  }

  private static func resource(_ event: Event) -> MeasuredResource {
    let detail = event.detail
    let url = detail["url"]?.string ?? ""
    return MeasuredResource(
      url: url, origin: origin(of: url), status: Bounded.int(detail["status"]?.number ?? 0, in: 0...999),
      type: detail["type"]?.string ?? "", start: detail["timing"]?["start"]?.number ?? event.t,
      end: detail["timing"]?["end"]?.number ?? event.t,
      decoded: detail["bytes"]?.number.map { Bounded.int($0, in: 0...9_000_000_000_000_000) },
      failure: detail["failure"]?.string, redirects: detail["redirects"]?.array?.compactMap(\.string) ?? [])
  }

  private static func origin(of url: String) -> MeasuredResource.Origin {
    if MRAIDScriptRequest.matches(url) { return .container }
    return url.hasPrefix("creative:") ? .creative : .network
  }
}
