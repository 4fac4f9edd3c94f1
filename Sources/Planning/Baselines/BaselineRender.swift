internal import Baselines
package import Comparison
package import Jobs
package import MRAID

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
  package var pictures: [String] { listing.pictures.keys.map(PartName.picture).sorted() }
}
