internal import Core
internal import Foundation

/// Script of the service in an ad's page.
package enum OMIDScript {
  /// Name of its message handler in the host.
  package static let link = "omid"

  /// Source for the top frame, with a placeholder for the connection to the host.
  package static let source = String(decoding: PackageResources.omid_js, as: UTF8.self)

  /// Page that a video's scripts run in, beside the video's own page, which they can't reach.
  package static let page = Array(
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>Open Measurement</title></head><body></body></html>

    """.utf8)
}
