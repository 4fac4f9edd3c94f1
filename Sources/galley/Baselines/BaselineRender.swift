internal import Baselines
internal import Comparison
internal import Jobs
internal import MRAID

/// One render of a creative on disk.
struct BaselineRender: Sendable {
  let folder: String
  let states: [MRAIDState]
  let listing: ResultListing
  /// Beside the baseline; nil when it wasn't compared.
  var against: ResultVerdict?

  init(record: RenderRecord, folder: String) throws(Fault) {
    (self.folder, states) = (folder, record.states)
    let own = try ResultTree.results(below: folder).first { $0.name.isEmpty }
    guard let own else { throw .engine("result-gone", "\(folder) holds no result") }
    listing = own
  }

  /// Names of the pictures.
  var pictures: [String] { listing.pictures.keys.map(PartName.picture).sorted() }
}
