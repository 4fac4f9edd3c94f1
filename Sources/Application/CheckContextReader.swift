package import Checks
internal import Core
internal import Creatives
internal import Exploration
internal import Feed
internal import Foundation
internal import MRAID
package import RenderModel

/// Collects the results of a render and of an exploration for the checks.
package enum CheckContextReader {
  /// Returns the evidence on a creative whose results are in `job`'s folder.
  package static func read(
    _ job: RenderJob, record: RenderRecord, explored: ExploredCreative?, unsteered: UnsteeredRender? = nil
  ) -> CheckContext {
    let folder = ResultFolder(job.output)
    let own = Journey(events: folder.log.events())
    var context = CheckContext(
      record: record, journeys: [own] + (explored?.journeys ?? []), inventory: InventoryReader.read(job.creative),
      exploration: explored.map(states), measurements: folder.readMeasurements())
    unsteered?.add(to: &context)
    context.isMachineOffline = context.reachedNothing && MachineNetwork.isOff
    return context
  }

  /// Returns the evidence on each ad of the feed whose results are in `job`'s folder.
  package static func readFeed(_ job: RenderJob, record: RenderRecord) -> [FeedCheckContext] {
    FeedCheckContext.read(job, record: record, events: ResultFolder(job.output).log.events())
  }

  private static func states(_ explored: ExploredCreative) -> ExploredStates {
    let found = explored.found
    return ExploredStates(
      anomalies: found.anomalies.map { ExploredStates.Odd($0.code, $0.message, state: $0.state, action: $0.action) },
      states: found.states.map(\.seen), isComplete: found.cut == nil, actions: found.actions,
      failures: found.edges.count { $0.to == nil },
      unreached: found.coverage.calls.rows.filter { $0.count == 0 }.map(\.name), mergesNumbers: found.mergesNumbers)
  }
}

/// Reads a creative's own files for the checks that examine them.
enum InventoryReader {
  /// Maximum number of files that are followed from a document.
  ///
  /// `longestText` is the maximum number of bytes of text that are examined, not counting embedded data.
  private static let mostFiles = 200
  private static let longestText = 2_000_000

  /// Reads the delivered files; nil for a URL and for a creative that can't be opened.
  static func read(_ reference: CreativeReference) -> Inventory? {
    guard let bundle = try? CreativeBundle.open(reference), let entry = bundle.entry else { return nil }
    let files: [Inventory.File]
    if let paths = try? bundle.paths() {
      // A file that can't be read costs its own line only: the render tells what it did to the ad.
      files = paths.compactMap { path in
        (try? bundle.resource(path: escaped(path)))?.map { file($0.path, $0, of: entry) }
      }
    } else {
      files = reachable(from: entry, in: bundle)
    }
    let path = reference.path ?? reference.argument
    return Inventory(
      kind: bundle.kind.rawValue, name: path.split(separator: "/").last.map(String.init) ?? path,
      packed: bundle.kind == .zip ? size(of: path) : nil, entry: entry.path, files: files)
  }

  /// Returns the document, and the files that it and they refer to.
  private static func reachable(from entry: BundleResource, in bundle: CreativeBundle) -> [Inventory.File] {
    var files = [file(entry.path, entry, of: entry)]
    var known: Set<String> = [entry.path]
    var next = 0
    while next < files.count, files.count < mostFiles {
      let current = files[next]
      next += 1
      guard let text = current.text else { continue }
      let folder = current.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for name in FileReferences.files(in: text) {
        guard let found = try? bundle.resource(path: folder + name), known.insert(found.path).inserted else { continue }
        files.append(file(found.path, found, of: entry))
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  private static func file(_ path: String, _ resource: BundleResource, of entry: BundleResource) -> Inventory.File {
    let isText = ["text/html", "text/javascript", "text/css", "image/svg+xml"].contains(resource.mimeType)
    let isData = path.split(separator: ".").last.map { dataEndings.contains($0.lowercased()) } ?? false
    let excerpt = isText || isData ? Excerpt(of: resource.bytes, most: longestText) : nil
    return Inventory.File(
      path: path, bytes: resource.bytes.count, text: isText ? excerpt?.text : nil, names: isText ? nil : excerpt?.text,
      gaps: excerpt?.gaps ?? [], isCut: excerpt?.isCut ?? false,
      strayByte: path == entry.path ? strayByte(of: entry, within: entry) : strayByte(of: resource, within: entry))
  }

  /// Returns the place of the first invalid byte in a document, script or style that is read as UTF-8.
  ///
  /// It also applies to documents without a declared encoding. Nil if another encoding is declared.
  private static func strayByte(of resource: BundleResource, within entry: BundleResource) -> Inventory.StrayByte? {
    let isPage = resource.mimeType == "text/html"
    guard resource.charset?.hasPrefix("utf-16") != true,
      isPage || ["text/javascript", "text/css"].contains(resource.mimeType),
      let offset = TextEncoding.firstInvalidByte(in: resource.bytes)
    else { return nil }
    let said = isPage ? CreativeMeta.parse(resource.bytes).charset : entry.charset
    // A page's charset is also what a byte order mark says.
    let isUTF8 = utf8.contains((isPage ? resource.charset ?? said : said) ?? "")
    let saysNothing = isPage && said == nil
    guard isUTF8 || saysNothing, isPage || !resource.bytes.starts(with: Array("@charset".utf8)) else { return nil }
    let before = resource.bytes[..<offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Inventory.StrayByte(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: String(decoding: before[start...], as: UTF8.self).count + 1, isDeclared: isUTF8)
  }

  /// Names of UTF-8 in HTML.
  private static let utf8: Set<String> = ["utf-8", "utf8", "unicode-1-1-utf-8"]

  /// File extensions of data by engines and authoring tools, which names the images and sounds that belong to them.
  private static let dataEndings: Set<String> = [
    "json", "atlas", "fnt", "plist", "xml", "txt", "gltf", "tmx", "csv", "webmanifest",
  ]

  /// Returns a file's name escaped as a URL path.
  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
  }

  private static func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }
}

/// Evidence on an ad of a feed, so that each ad is judged as if it had been rendered alone.
package struct FeedCheckContext: Sendable {
  /// Cell and creative, such as `ad-1/static`, with a number if the creative came there again.
  package let name: String
  package let evidence: CheckContext

  /// Returns the evidence on each requested ad, then on each creative that was never requested.
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
          "slot-missing", "\(creative.argument) wasn't shown: the feed requested \(showings.count) ads")
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
    if let loaded = showing.events.first(where: { $0.source == .ad && $0.isNamed(.adLoaded) }),
      let width = loaded.detail["width"]?.number, let height = loaded.detail["height"]?.number
    {
      record.placement = RenderRecord.PlacementSummary(kind: .feed, width: width, height: height, position: nil)
    }
    let changes = showing.events.filter { $0.source == .mraid && $0.isNamed(.stateChange) }
    record.states = changes.compactMap { $0.detail["arguments"]?[0]?.string.flatMap(MRAIDState.init(rawValue:)) }
    record.transitions = []
    switch showing.end {
    case .shown: record.succeed()
    case .failed(let message, let code): record.fail(.creative(code, message))
    case .lost("crashed"):
      record.fail(.creative(.webProcessCrashed, "the web process ended while it showed the creative"))
    case .lost(let reason): record.fail(.creative(reason, "the ad was ended: \(reason)"))
    }
    return CheckContext(
      record: record, journeys: [Journey(events: showing.events)], inventory: creative.flatMap(InventoryReader.read))
  }
}

extension RenderRecord {
  /// Marks the ad as completed, since the outcome of the feed isn't a single ad's fault.
  fileprivate mutating func succeed() { (outcome, message, origin, code) = (.completed, nil, nil, nil) }
}
