package import Baselines
package import Comparison
package import Jobs
internal import MRAID
internal import Pixels

/// A baseline as it was found in its store.
package struct RecordedBaseline: Sendable {
  package let store: BaselineStore
  package let manifest: BaselineManifest
  package let fingerprint: Fingerprint
  private let events: [Event]

  /// Nil when nothing is recorded there.
  package init?(_ place: BaselinePlace) throws(Fault) {
    store = place.store
    guard let manifest = try store.manifest(place.key) else { return nil }
    self.manifest = manifest
    fingerprint = try store.fingerprint(of: manifest)
    events = try store.events(of: manifest)
  }

  /// Parts that may differ.
  package var flaky: Set<String> {
    Set(
      manifest.pictures.filter { $0.flaky == true }.map(\.name)
        + (manifest.events.flaky == true ? [PartName.events] : []))
  }

  /// The baseline's picture that a render's was compared with; by its name, as several may have the same contents.
  package func picture(comparedIn verdict: PictureVerdict) -> BaselineManifest.Picture? {
    let name = PartName.picture(verdict.former ?? verdict.name)
    return manifest.pictures.first { $0.name == name }
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
    var same: [PictureVerdict] = []
    var (before, after) = ([String: String](), render.listing.pictures)
    for picture in manifest.pictures {
      let (file, path) = ("\(picture.name).png", store.objectPath("\(picture.sha256).png"))
      if let drawn = after[file], FileHash.of(drawn) == picture.drawn {
        same.append(PictureVerdict(name: file, verdict: .same, first: path, second: drawn))
        after[file] = nil
      } else {
        _ = try store.object("\(picture.sha256).png")
        before[file] = path
      }
    }
    let (recorded, drawn) = (
      ResultListing(name: "", path: store.path, pictures: before),
      ResultListing(name: "", path: render.folder, pictures: after)
    )
    var verdict = try await comparer.compare([recorded], [drawn])[0]
    verdict.pictures += same
    return verdict
  }

  private static func text(_ states: [MRAIDState]) -> String { states.map(\.rawValue).joined(separator: " → ") }
}
