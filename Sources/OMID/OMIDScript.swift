internal import Core
internal import Foundation

/// The service in an ad's page.
package enum OMIDScript {
  /// The name of its way to the host.
  package static let link = "omid"

  /// Its source, for the top frame, with a place for the way to the host.
  package static let source = String(decoding: PackageResources.omid_js, as: UTF8.self)

  /// The page that scripts of a film are run in, beside the film's own, which they can't reach.
  package static let page = Array(
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>Open Measurement</title></head><body></body></html>

    """.utf8)
}
