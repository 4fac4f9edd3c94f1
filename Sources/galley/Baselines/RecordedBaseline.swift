internal import Baselines
internal import Comparison
internal import Jobs
internal import MRAID
internal import Pixels

/// A baseline as it was found in its store.
struct RecordedBaseline: Sendable {
  let store: BaselineStore
  let manifest: BaselineManifest
  let fingerprint: Fingerprint
  private let events: [Event]

  /// Nil when nothing is recorded there.
  init?(_ place: BaselinePlace) throws(Fault) {
    store = place.store
    guard let manifest = try store.manifest(place.key) else { return nil }
    self.manifest = manifest
    fingerprint = try store.fingerprint(of: manifest)
    events = try store.events(of: manifest)
  }

  /// Parts that may differ.
  var flaky: Set<String> {
    Set(manifest.pictures.filter { $0.flaky == true }.map(\.name) + (manifest.events.flaky == true ? [PartName.events] : []))
  }

  /// The baseline's picture that a file of the store is.
  func picture(file: String?) -> BaselineManifest.Picture? {
    manifest.pictures.first { store.objectPath("\($0.sha256).png") == file }
  }

  /// Compares a render with it; pictures of the very same bytes as those recorded aren't decoded.
  func compare(_ render: BaselineRender, _ comparer: ResultComparer) async throws(Fault) -> ResultVerdict {
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
    let pair = (
      ResultListing(name: "", path: store.path, pictures: before),
      ResultListing(name: "", path: render.folder, pictures: after)
    )
    var verdict = try await comparer.compare([pair.0], [pair.1])[0]
    verdict.pictures += same
    verdict.events = EventComparison(events, try render.listing.events.map { path throws(Fault) in
      try EventLogFile.read(path)
    } ?? [])
    if render.states != manifest.states {
      verdict.record = [
        ResultVerdict.RecordChange(member: "states", first: Self.text(manifest.states), second: Self.text(render.states))
      ]
    }
    return verdict
  }

  private static func text(_ states: [MRAIDState]) -> String { states.map(\.rawValue).joined(separator: " → ") }
}
