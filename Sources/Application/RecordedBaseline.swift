package import Comparison
package import Core
internal import Creatives
internal import Device
internal import FoundationEssentials
package import MRAID
package import RenderModel

/// Store and key of a creative's baseline.
package struct BaselineLocation: Hashable, Sendable {
  package let store: BaselineStore
  package let key: BaselineKey
  /// Path of the creative from the store's parent folder, or its URL.
  package let source: String

  /// Name of the folder of baselines beside creatives.
  package static let folderName = BaselineStore.folderName

  package init(store: BaselineStore, key: BaselineKey, source: String) {
    (self.store, self.key, self.source) = (store, key, source)
  }

  /// Makes the location; `folder` is the requested store, and without it baselines lie beside the creative.
  package init(_ job: RenderJob, folder: String?, asked: [String]) throws(Fault) {
    let creative = job.feed?.asCreative ?? job.creative
    let store = BaselineStore(Self.store(creative, folder: folder))
    self.store = store
    key = try BaselineKey(creative, from: store.parent, variant: [job.device.name] + Self.ads(job) + asked)
    source =
      creative.path.map { BaselineKey.relative($0, from: store.parent).joined(separator: "/") } ?? creative.argument
  }

  /// Returns the names of a feed's ads for the key, since a feed with other ads is another subject.
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
  /// Returns the locations for a plan's creatives, by the job's id.
  package static func all(
    of plan: BatchPlan, folder: String?, template: JobTemplate, variant: String?
  ) throws(Fault) -> [Int: BaselineLocation] {
    let asked =
      [template.orientation?.rawValue] + template.wish.asked + [template.container?.name]
      + template.options.settings.words + [variant]
    var places: [Int: BaselineLocation] = [:]
    var owners: [BaselineLocation: String] = [:]
    for job in plan.jobs {
      let place = try BaselineLocation(job, folder: folder, asked: asked.compactMap(\.self))
      // Two creatives of one key would each be compared with the other's baseline.
      if let owner = owners.updateValue(job.creative.argument, forKey: place) {
        throw .request(
          "baseline-duplicate",
          "\(owner) and \(job.creative.argument) share one baseline, \(place.key.text): name one with --variant")
      }
      places[job.id] = place
    }
    return places
  }
}

/// Baseline as read from its store.
package struct RecordedBaseline: Sendable {
  package let store: BaselineStore
  package let manifest: BaselineManifest
  package let fingerprint: Fingerprint
  private let events: [Event]

  /// Reads the baseline; nil if nothing is recorded at the location.
  package init?(_ place: BaselineLocation) throws(Fault) {
    store = place.store
    guard let manifest = try store.manifest(place.key) else { return nil }
    self.manifest = manifest
    fingerprint = try store.fingerprint(of: manifest)
    events = try store.events(of: manifest)
  }

  /// Names of the parts that may differ.
  package var flaky: Set<String> {
    Set(
      manifest.screenshots.filter { $0.flaky == true }.map(\.name)
        + (manifest.events.flaky == true ? [PartName.events] : []))
  }

  /// Returns the baseline's picture that was compared.
  ///
  /// It is found by name, as several pictures may have the same contents.
  package func screenshot(comparedIn verdict: ScreenshotVerdict) -> BaselineManifest.Screenshot? {
    let name = PartName.screenshot(verdict.former ?? verdict.name)
    return manifest.screenshots.first { $0.name == name }
  }

  /// Returns the reason why a render can't be compared; nil if it can.
  ///
  /// Requests that had an answer when the baseline was recorded then had none in the render.
  package func refusal(of render: BaselineRender) throws(Fault) -> Fault? {
    let log = try render.listing.events.map { path throws(Fault) in try EventLogFile.read(path) }
    return LostAnswers(events, log ?? []).fault
  }

  /// Compares a render with the baseline.
  package func compare(_ render: BaselineRender, _ comparer: ResultComparer) async throws(Fault) -> ResultVerdict {
    var verdict = try await pictures(render, comparer)
    let log = try render.listing.events.map { path throws(Fault) in try EventLogFile.read(path) }
    verdict.events = EventComparison(events, log ?? [])
    if render.states != manifest.states {
      let (before, after) = (Self.text(manifest.states), Self.text(render.states))
      verdict.record = [ResultVerdict.RecordChange(member: "states", first: before, second: after)]
    }
    verdict.files = FileComparison(manifest.files, render.files)
    return verdict
  }

  /// Compares the pictures; those with the same bytes as the recorded ones aren't decoded.
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

  /// Replaces a verdict of difference if the picture matches one of the recorded variants.
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

/// Render of a creative on disk.
package struct BaselineRender: Sendable {
  package let folder: String
  package let states: [MRAIDState]
  package let listing: ResultListing
  /// Creative's files as they were handed in; nil if unknown.
  package internal(set) var files: DeliveredFiles?
  /// Comparison with the baseline; nil if the render wasn't compared.
  package var against: ResultVerdict?

  package init(record: RenderRecord, folder: String) throws(Fault) {
    (self.folder, states, files) = (folder, record.states, record.creative.delivered)
    let own = try ResultTree.results(below: folder).first { $0.name.isEmpty }
    guard let own else { throw .engine("result-gone", "\(folder) contains no result") }
    listing = own
  }

  /// Creates the only render of a creative, which doesn't tell if a server sends other files each time.
  package init(single record: RenderRecord, of creative: CreativeReference, folder: String) throws(Fault) {
    try self.init(record: record, folder: folder)
    if creative.path == nil { files = nil }
  }

  /// Returns the same render without the files that a server sends differently each time, or without any of a folder.
  func without(files paths: Set<String>) -> BaselineRender {
    var render = self
    if let files, !files.whole, !paths.contains(files.document) {
      render.files?.files.removeAll { paths.contains($0.path) }
      render.against?.files = against?.files?.without(paths)
    } else {
      render.files = nil
      render.against?.files = nil
    }
    return render
  }

  /// Names of the pictures.
  package var pictures: [String] { listing.pictures.keys.map(PartName.screenshot).sorted() }
}

/// Hash of a file's contents, as used by baselines.
package enum FileHash {
  /// Returns the SHA-256 in lower-case hex; nil if the file can't be read.
  package static func of(_ path: String) -> String? {
    (try? FileReading.regular(path, most: 1 << 30)).map { Document.hash(of: $0) }
  }
}
