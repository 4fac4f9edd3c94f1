internal import Glibc

/// The fonts that pages get, whatever else is installed, unless the caller names a configuration of their own.
package enum PinnedFonts {
  /// The environment's name for a configuration.
  package static let variable = "FONTCONFIG_FILE"

  /// For fontconfig, in XML.
  package static var configuration: [UInt8] { PackageResources.fonts_conf }

  /// Whether no other configuration is named.
  package static var areInForce: Bool { getenv(variable) == nil }
}
