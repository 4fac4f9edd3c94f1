/// Which interactive creative of an ad is run: SIMID's, as a page above the film or above a programme.
package enum InteractiveChoice {
  /// The first page of SIMID that goes with a film; nil where there is none.
  package static func file(of linear: VASTLinear) -> VASTMediaFile? { linear.interactiveFiles.first(where: \.isRun) }

  /// The first overlay of an ad without a film, where that is a page of SIMID; nil for any other.
  package static func overlay(of ad: ResolvedAd) -> (overlay: VASTNonLinear, url: String)? {
    guard ad.linear == nil else { return nil }
    let shown = ad.nonLinears.first { $0.resources.contains(where: CompanionChoice.isShown) }
    guard let shown, shown.apiFramework?.uppercased() == "SIMID" else { return nil }
    for case .page(let url) in shown.resources { return (shown, url) }
    return nil
  }
}

extension VASTMediaFile {
  /// Whether it is a page, as SIMID's files are; one that doesn't say its type may be.
  package var isPage: Bool { type.prefix { $0 != ";" } == "text/html" }

  fileprivate var isRun: Bool { apiFramework?.uppercased() == "SIMID" && (isPage || type.isEmpty) }
}
