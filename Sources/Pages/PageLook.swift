/// Styles and scripts that the report, comparison pages and the server's pages share.
package enum PageLook {
  /// Style and its script.
  package struct Part: Sendable {
    package let style: [UInt8]
    package let script: [UInt8]

    package init(style: [UInt8], script: [UInt8]) { (self.style, self.script) = (style, script) }
  }

  /// Part with colours, type, badges, filters, the wall of images and the viewer; its script is inactive until a page
  /// calls it.
  package static let base = Part(style: PackageResources.look_css, script: PackageResources.look_js)
  /// Part for the comparison of two images, side by side, by a slider or blinking; follows the base part.
  package static let comparison = Part(style: PackageResources.compare_css, script: PackageResources.compare_js)
}
