/// Chooses the interactive creative of an ad that is run: a SIMID page above the video or above a programme.
package enum InteractiveChoice {
  /// Returns the first SIMID page that accompanies a video; nil if there is none.
  package static func file(of linear: VASTLinear) -> VASTMediaFile? { linear.interactiveFiles.first(where: \.isRun) }

  /// Returns the first overlay of an ad without a video if it is a SIMID page; nil for any other.
  package static func overlay(of ad: ResolvedAd) -> (overlay: VASTNonLinear, url: String)? {
    guard ad.linear == nil else { return nil }
    let shown = ad.nonLinears.first { $0.resources.contains(where: CompanionChoice.isShown) }
    guard let shown, shown.apiFramework?.uppercased() == "SIMID" else { return nil }
    for case .page(let url) in shown.resources { return (shown, url) }
    return nil
  }
}

extension VASTMediaFile {
  /// Indicates that the file's type is that of a page, as SIMID requires; a file without a type may still be a page.
  package var isPage: Bool { type.prefix { $0 != ";" } == "text/html" }

  fileprivate var isRun: Bool { apiFramework?.uppercased() == "SIMID" && (isPage || type.isEmpty) }
}
