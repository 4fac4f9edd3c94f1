package import Checks
internal import Exploration
internal import Foundation
package import Jobs
internal import Workers

/// Puts together what a render left on disk and what exploring found.
package enum EvidenceReader {
  /// The evidence of a creative whose results are in `job`'s folder.
  package static func read(_ job: RenderJob, record: RenderRecord, explored: ExploredCreative?) -> Evidence {
    let folder = ResultFolder(job.output)
    let own = Journey(events: EventLog.events(at: folder.events))
    return Evidence(
      record: record, journeys: [own] + (explored?.journeys ?? []), inventory: InventoryReader.read(job.creative),
      exploration: explored.map(states), measurements: decoded(Measurements.self, at: folder.measurements))
  }

  /// The evidence of each ad of the feed whose results are in `job`'s folder.
  package static func readFeed(_ job: RenderJob, record: RenderRecord) -> [FeedEvidence] {
    FeedEvidence.read(job, record: record, events: EventLog.events(at: ResultFolder(job.output).events))
  }

  private static func states(_ explored: ExploredCreative) -> ExploredStates {
    let found = explored.found
    return ExploredStates(
      oddities: found.oddities.map { ExploredStates.Odd($0.code, $0.message, state: $0.state, action: $0.action) },
      states: found.states.map(\.seen), isComplete: found.cut == nil)
  }

  private static func decoded<Document: Decodable>(_ type: Document.Type, at path: String) -> Document? {
    FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }
}
