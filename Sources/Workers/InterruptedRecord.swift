package import Core
internal import FoundationEssentials
internal import MRAID
package import RenderModel

/// Record of a render that couldn't write its own, made from the event log and the files in its folder.
struct InterruptedRecord {
  let job: RenderJob
  let fault: Fault
  let attempts: Int

  /// Makes the record from the log in the job's folder.
  ///
  /// Of a missing, broken or half-written log it uses the readable part.
  func record() -> RenderRecord {
    let events = ResultFolder(job.output).log.events()
    var record = RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      placement: placement, container: job.container?.name, outcome: RenderRecord.Outcome(fault), failure: fault,
      eventCount: events.count, attempts: max(1, attempts))
    for event in events { note(event, in: &record) }
    return record
  }

  /// Adds the ad's states and the screenshots that are on disk.
  private func note(_ event: Event, in record: inout RenderRecord) {
    switch (event.source, Event.Name(rawValue: event.name)) {
    case (.mraid, .stateChange):
      guard let state = event.detail["arguments"]?[0]?.string.flatMap(MRAIDState.init), state != .loading else {
        return
      }
      // Both parts of a two-part expand are told.
      if record.states.last != state { record.states.append(state) }
    case (.host, .screenshot):
      guard let name = event.detail["name"]?.string else { return }
      let path = "screenshots/\(name).png"
      guard let size = ScreenshotSize(ofPNG: job.output + "/" + path) else { return }
      record.screenshots.append(
        RenderRecord.Screenshot(
          name: name, path: path, state: record.states.last ?? .loading, t: event.t, width: size.width,
          height: size.height))
    default: return
    }
  }

  /// The placement, if it is known without opening the creative: only for a banner of requested size.
  private var placement: RenderRecord.PlacementSummary? {
    guard job.placement.kind == .banner, let size = job.placement.size else { return nil }
    return RenderRecord.PlacementSummary(
      kind: .banner, width: size.width, height: size.height, position: job.placement.position)
  }
}

/// An image's size in physical pixels, read from its first bytes alone.
struct ScreenshotSize: Hashable, Sendable {
  let width: Int
  let height: Int

  /// Nil when there is no such file or it doesn't begin like a PNG: signature, then IHDR with width and height.
  init?(ofPNG path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe), data.count >= 24,
      data.prefix(16) == Data([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])
    else { return nil }
    width = data[16..<20].reduce(0) { $0 << 8 | Int($1) }
    height = data[20..<24].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Makes the record of a job that a queue's workers couldn't render, the same that the pool itself would have written.
package enum UnrenderedRecord {
  package static func make(_ job: RenderJob, _ fault: Fault, attempts: Int) -> RenderRecord {
    InterruptedRecord(job: job, fault: fault, attempts: max(1, attempts)).record()
  }
}
