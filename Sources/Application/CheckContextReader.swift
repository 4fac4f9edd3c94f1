package import Checks
internal import Core
internal import Creatives
internal import Exploration
internal import Feed
internal import Foundation
internal import MRAID
package import RenderModel

/// Puts together what a render left on disk and what exploring found.
package enum CheckContextReader {
  /// The evidence of a creative whose results are in `job`'s folder.
  package static func read(_ job: RenderJob, record: RenderRecord, explored: ExploredCreative?) -> CheckContext {
    let folder = ResultFolder(job.output)
    let own = Journey(events: folder.log.events())
    return CheckContext(
      record: record, journeys: [own] + (explored?.journeys ?? []), inventory: InventoryReader.read(job.creative),
      exploration: explored.map(states), measurements: folder.readMeasurements())
  }

  /// The evidence of each ad of the feed whose results are in `job`'s folder.
  package static func readFeed(_ job: RenderJob, record: RenderRecord) -> [FeedCheckContext] {
    FeedCheckContext.read(job, record: record, events: ResultFolder(job.output).log.events())
  }

  private static func states(_ explored: ExploredCreative) -> ExploredStates {
    let found = explored.found
    return ExploredStates(
      anomalies: found.anomalies.map { ExploredStates.Odd($0.code, $0.message, state: $0.state, action: $0.action) },
      states: found.states.map(\.seen), isComplete: found.cut == nil)
  }
}

/// Reads a creative's own files for the checks that look at them.
enum InventoryReader {
  /// Files of a document's that are followed, and bytes of text that are looked at beside the data in it.
  private static let mostFiles = 200
  private static let longestText = 2_000_000

  /// What was delivered; nil for an address and for what can't be opened.
  static func read(_ reference: CreativeReference) -> Inventory? {
    guard let bundle = try? CreativeBundle.open(reference), let entry = bundle.entry else { return nil }
    let files: [Inventory.File]
    if let paths = try? bundle.paths() {
      // A file that can't be read costs its own line only: the render tells what it did to the ad.
      files = paths.compactMap { path in (try? bundle.resource(path: escaped(path)))?.map { file($0.path, $0) } }
    } else {
      files = reachable(from: entry, in: bundle)
    }
    let path = reference.path ?? reference.argument
    return Inventory(
      kind: bundle.kind.rawValue, name: path.split(separator: "/").last.map(String.init) ?? path,
      packed: bundle.kind == .zip ? size(of: path) : nil, entry: entry.path, files: files)
  }

  /// The document, and what it and its files name.
  private static func reachable(from entry: BundleResource, in bundle: CreativeBundle) -> [Inventory.File] {
    var files = [file(entry.path, entry)]
    var known: Set<String> = [entry.path]
    var next = 0
    while next < files.count, files.count < mostFiles {
      let current = files[next]
      next += 1
      guard let text = current.text else { continue }
      let folder = current.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for name in FileReferences.files(in: text) {
        guard let found = try? bundle.resource(path: folder + name), known.insert(found.path).inserted else { continue }
        files.append(file(found.path, found))
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  private static func file(_ path: String, _ resource: BundleResource) -> Inventory.File {
    let isText = ["text/html", "text/javascript", "text/css", "image/svg+xml"].contains(resource.mimeType)
    let isData = path.split(separator: ".").last.map { dataEndings.contains($0.lowercased()) } ?? false
    let excerpt = isText || isData ? Excerpt(of: resource.bytes, most: longestText) : nil
    return Inventory.File(
      path: path, bytes: resource.bytes.count, text: isText ? excerpt?.text : nil, names: isText ? nil : excerpt?.text,
      gaps: excerpt?.gaps ?? [], isCut: excerpt?.isCut ?? false)
  }

  /// Files of engines and authoring tools that name the pictures and sounds that belong to them.
  private static let dataEndings: Set<String> = [
    "json", "atlas", "fnt", "plist", "xml", "txt", "gltf", "tmx", "csv", "webmanifest",
  ]

  /// A file's name as an address.
  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
  }

  private static func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }
}

/// What is known of each ad of a feed, so that every one is judged as if it had been rendered alone.
package struct FeedCheckContext: Sendable {
  /// The cell and the creative: `ad-1/static`, with a number where the same came there again.
  package let name: String
  package let evidence: CheckContext

  /// One for each ad that was asked for, then one for each creative that never had its turn.
  package static func read(_ job: RenderJob, record: RenderRecord, events: [Event]) -> [FeedCheckContext] {
    let creatives = job.feed?.creatives ?? []
    let showings = AdImpression.all(in: events)
    var times: [String: Int] = [:]
    let shown = showings.map { showing in
      let plain = "\(showing.cell)/\(showing.creative)"
      times[plain, default: 0] += 1
      let count = times[plain, default: 1]
      return FeedCheckContext(
        name: count == 1 ? plain : "\(plain)-\(count)",
        evidence: evidence(of: showing, creatives.first { $0.name == showing.creative }, record))
    }
    let seen = Set(showings.map(\.creative))
    // Of a feed that failed nobody can say what it would have shown.
    guard record.outcome == .completed else { return shown }
    return shown
      + creatives.filter { !seen.contains($0.name) }.map { creative in
        let fault = Fault.request(
          "slot-missing", "\(creative.argument) never had its turn: the feed asked for \(showings.count) ads")
        var own = RenderRecord(
          creative: RenderRecord.Creative(path: creative.argument), device: record.device, outcome: .failed,
          failure: fault)
        own.container = record.container
        return FeedCheckContext(name: "unseen/\(creative.name)", evidence: CheckContext(record: own))
      }
  }

  private static func evidence(
    of showing: AdImpression, _ creative: CreativeReference?, _ feed: RenderRecord
  ) -> CheckContext {
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
    return CheckContext(
      record: record, journeys: [Journey(events: showing.events)], inventory: creative.flatMap(InventoryReader.read))
  }
}

extension RenderRecord {
  /// What becomes of the feed is no one ad's fault.
  fileprivate mutating func succeed() { (outcome, message, origin, code) = (.completed, nil, nil, nil) }
}
