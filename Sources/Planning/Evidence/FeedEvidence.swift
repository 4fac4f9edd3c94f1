package import Checks
internal import Feed
package import Jobs
internal import MRAID
internal import Workers

/// What is known of each ad of a feed, so that every one is judged as if it had been rendered alone.
package struct FeedEvidence: Sendable {
  /// The cell and the creative: `ad-1/static`, with a number where the same came there again.
  package let name: String
  package let evidence: Evidence

  /// One for each ad that was asked for, then one for each creative that never had its turn.
  package static func read(_ job: RenderJob, record: RenderRecord, events: [Event]) -> [FeedEvidence] {
    let creatives = job.feed?.creatives ?? []
    let showings = AdShowing.all(in: events)
    var times: [String: Int] = [:]
    let shown = showings.map { showing in
      let plain = "\(showing.cell)/\(showing.creative)"
      times[plain, default: 0] += 1
      let count = times[plain, default: 1]
      return FeedEvidence(
        name: count == 1 ? plain : "\(plain)-\(count)",
        evidence: evidence(of: showing, creatives.first { $0.name == showing.creative }, record))
    }
    let seen = Set(showings.map(\.creative))
    // Of a feed that failed nobody can say what it would have shown.
    guard record.outcome == .completed else { return shown }
    return shown
      + creatives.filter { !seen.contains($0.name) }.map { creative in
        let fault = Fault.request(
          "no-slot", "\(creative.argument) never had its turn: the feed asked for \(showings.count) ads")
        var own = RenderRecord(
          creative: RenderRecord.Creative(path: creative.argument), device: record.device, outcome: .failed,
          failure: fault)
        own.container = record.container
        return FeedEvidence(name: "unseen/\(creative.name)", evidence: Evidence(record: own))
      }
  }

  private static func evidence(
    of showing: AdShowing, _ creative: CreativeReference?, _ feed: RenderRecord
  ) -> Evidence {
    var record = feed
    record.creative = RenderRecord.Creative(path: creative?.argument ?? showing.creative)
    record.screenshots = feed.screenshots.filter { showing.pictures.contains($0.name) }
    record.filmstrip = nil
    record.warnings = []
    record.eventCount = showing.events.count
    if let loaded = showing.events.first(where: { $0.source == .ad && $0.name == "adLoaded" }),
      let width = loaded.detail["width"]?.number, let height = loaded.detail["height"]?.number
    {
      record.placement = RenderRecord.PlacementSummary(kind: .feed, width: width, height: height, position: nil)
    }
    let changes = showing.events.filter { $0.source == .mraid && $0.name == "stateChange" }
    record.states = changes.compactMap { $0.detail["arguments"]?[0]?.string.flatMap(MRAIDState.init(rawValue:)) }
    record.transitions = []
    switch showing.end {
    case .shown: record.succeed()
    case .failed(let message, let code): record.fail(.failed, .creative(code, message))
    case .lost("crashed"):
      record.fail(.crashed, .creative("web-process-crashed", "the web process ended while it showed the creative"))
    case .lost(let reason): record.fail(.failed, .creative(reason, "the ad was ended: \(reason)"))
    }
    return Evidence(
      record: record, journeys: [Journey(events: showing.events)], inventory: creative.flatMap(InventoryReader.read))
  }
}

extension RenderRecord {
  /// What becomes of the feed is no one ad's fault.
  fileprivate mutating func succeed() { (outcome, message, fault, code) = (.completed, nil, nil, nil) }

  fileprivate mutating func fail(_ outcome: Outcome, _ failure: Fault) {
    (self.outcome, message, fault, code) = (outcome, failure.message, failure.blame, failure.code)
  }
}
