package import Comparison
package import Core
internal import Creatives
internal import Device
internal import FoundationEssentials
package import MRAID
package import RenderModel

/// Where the baseline of a creative is, and under which key.
package struct BaselineLocation: Hashable, Sendable {
  package let store: BaselineStore
  package let key: BaselineKey
  /// The creative's path from the store's parent folder, or its address.
  package let source: String

  /// The name of the folder of baselines beside creatives.
  package static let folderName = "galley-baselines"

  package init(store: BaselineStore, key: BaselineKey, source: String) {
    (self.store, self.key, self.source) = (store, key, source)
  }

  /// `folder` is the one asked for; without it baselines lie beside the creative.
  package init(_ job: RenderJob, folder: String?, asked: [String]) throws(Fault) {
    let creative = job.feed?.asCreative ?? job.creative
    let store = BaselineStore(Self.store(creative, folder: folder))
    self.store = store
    key = try BaselineKey(creative, from: store.parent, variant: [job.device.name] + Self.ads(job) + asked)
    source =
      creative.path.map { BaselineKey.relative($0, from: store.parent).joined(separator: "/") } ?? creative.argument
  }

  /// The same feed with other ads in it is another thing to look at.
  private static func ads(_ job: RenderJob) -> [String] {
    job.feed.map { [$0.creatives.map(\.name).joined(separator: "+")] } ?? []
  }

  private static func store(_ creative: CreativeReference, folder: String?) -> String {
    if let folder { return AbsolutePath.resolved(folder) }
    guard let path = creative.path else { return AbsolutePath.resolved(Self.folderName) }
    // The last part may be a file, which has nothing above it as far as the file system goes.
    let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    return AbsolutePath.resolved(parent.isEmpty ? "/" : String(parent)) + "/" + Self.folderName
  }
}

extension BaselineLocation {
  /// The places of a plan's creatives, by the job's id.
  package static func all(
    of plan: BatchPlan, folder: String?, template: JobTemplate, variant: String?
  ) throws(Fault) -> [Int: BaselineLocation] {
    let asked =
      [template.orientation?.rawValue] + template.wish.asked + [template.container?.name, variant]
    var places: [Int: BaselineLocation] = [:]
    var owners: [BaselineLocation: String] = [:]
    for job in plan.jobs {
      let place = try BaselineLocation(job, folder: folder, asked: asked.compactMap(\.self))
      // Two creatives of one key would each be compared with the other's baseline.
      if let owner = owners.updateValue(job.creative.argument, forKey: place) {
        throw .request(
          "baseline-duplicate", "\(owner) and \(job.creative.argument) have the same baseline, \(place.key.text)")
      }
      places[job.id] = place
    }
    return places
  }
}

/// A baseline as it was found in its store.
package struct RecordedBaseline: Sendable {
  package let store: BaselineStore
  package let manifest: BaselineManifest
  package let fingerprint: Fingerprint
  private let events: [Event]

  /// Nil when nothing is recorded there.
  package init?(_ place: BaselineLocation) throws(Fault) {
    store = place.store
    guard let manifest = try store.manifest(place.key) else { return nil }
    self.manifest = manifest
    fingerprint = try store.fingerprint(of: manifest)
    events = try store.events(of: manifest)
  }

  /// Parts that may differ.
  package var flaky: Set<String> {
    Set(
      manifest.screenshots.filter { $0.flaky == true }.map(\.name)
        + (manifest.events.flaky == true ? [PartName.events] : []))
  }

  /// The baseline's picture that a render's was compared with; by its name, as several may have the same contents.
  package func screenshot(comparedIn verdict: ScreenshotVerdict) -> BaselineManifest.Screenshot? {
    let name = PartName.screenshot(verdict.former ?? verdict.name)
    return manifest.screenshots.first { $0.name == name }
  }

  /// Compares a render with it.
  package func compare(_ render: BaselineRender, _ comparer: ResultComparer) async throws(Fault) -> ResultVerdict {
    var verdict = try await pictures(render, comparer)
    let log = try render.listing.events.map { path throws(Fault) in try EventLogFile.read(path) }
    verdict.events = EventComparison(events, log ?? [])
    if render.states != manifest.states {
      let (before, after) = (Self.text(manifest.states), Self.text(render.states))
      verdict.record = [ResultVerdict.RecordChange(member: "states", first: before, second: after)]
    }
    return verdict
  }

  /// Compares the pictures; those of the very same bytes as the recorded ones aren't decoded.
  private func pictures(_ render: BaselineRender, _ comparer: ResultComparer) async throws(Fault) -> ResultVerdict {
    var same: [ScreenshotVerdict] = []
    var (before, after) = ([String: String](), render.listing.pictures)
    for screenshot in manifest.screenshots {
      let (file, path) = ("\(screenshot.name).png", store.objectPath("\(screenshot.sha256).png"))
      if let drawn = after[file], let hash = FileHash.of(drawn), screenshot.wasDrawn(as: hash) {
        same.append(ScreenshotVerdict(name: file, verdict: .same, first: path, second: drawn))
        after[file] = nil
      } else {
        _ = try store.object("\(screenshot.sha256).png")
        before[file] = path
      }
    }
    let (recorded, drawn) = (
      ResultListing(name: "", path: store.path, pictures: before),
      ResultListing(name: "", path: render.folder, pictures: after)
    )
    var verdict = try await comparer.compare([recorded], [drawn])[0]
    for index in verdict.pictures.indices { try await acceptVariant(&verdict.pictures[index], comparer) }
    verdict.pictures += same
    return verdict
  }

  /// Has a picture be the same that looks as one of the variants of the recorded one.
  private func acceptVariant(_ verdict: inout ScreenshotVerdict, _ comparer: ResultComparer) async throws(Fault) {
    guard verdict.verdict == .different, let drawn = verdict.second,
      let variants = screenshot(comparedIn: verdict)?.variants
    else { return }
    let plain = ResultComparer(options: comparer.options, budget: comparer.budget, comparesEvents: false)
    for variant in variants {
      _ = try store.object("\(variant.sha256).png")
      let path = store.objectPath("\(variant.sha256).png")
      var other = try await plain.screenshot(verdict.name, path, drawn, of: "")
      guard other.verdict == .same else { continue }
      other.former = verdict.former
      verdict = other
      return
    }
  }

  private static func text(_ states: [MRAIDState]) -> String { states.map(\.rawValue).joined(separator: " → ") }
}

/// One render of a creative on disk.
package struct BaselineRender: Sendable {
  package let folder: String
  package let states: [MRAIDState]
  package let listing: ResultListing
  /// Beside the baseline; nil when it wasn't compared.
  package var against: ResultVerdict?

  package init(record: RenderRecord, folder: String) throws(Fault) {
    (self.folder, states) = (folder, record.states)
    let own = try ResultTree.results(below: folder).first { $0.name.isEmpty }
    guard let own else { throw .engine("result-gone", "\(folder) holds no result") }
    listing = own
  }

  /// Names of the pictures.
  package var pictures: [String] { listing.pictures.keys.map(PartName.screenshot).sorted() }
}

/// What a file holds, as baselines name it.
package enum FileHash {
  /// SHA-256 in lower-case hex; nil when it can't be read.
  package static func of(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { Document.hash(of: Array($0)) }
  }
}
