/// What the report, the pages of comparisons and the server's pages have in common.
package enum PageLook {
  /// A style and its script.
  package struct Part: Sendable {
    package let style: [UInt8]
    package let script: [UInt8]

    package init(style: [UInt8], script: [UInt8]) { (self.style, self.script) = (style, script) }
  }

  /// Colours, type, badges, filters, the wall of pictures, the viewer; its script does nothing until a page asks.
  package static let base = Part(style: PackageResources.look_css, script: PackageResources.look_js)
  /// Two pictures compared: side by side, by a slider, blinking; after the base.
  package static let comparison = Part(style: PackageResources.compare_css, script: PackageResources.compare_js)
}
