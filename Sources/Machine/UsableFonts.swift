internal import CFontconfig
internal import Glibc

/// Fonts with which pages on this machine are drawn: the pinned ones, or those of the user's own configuration.
package struct UsableFonts: Hashable, Sendable {
  /// Absolute paths of the font files, sorted, each once.
  package let files: [String]
  /// Absolute paths of the user's own configuration files for the choice and smoothing of fonts, in reading order.
  ///
  /// Empty for the pinned fonts, whose configuration is `PinnedFonts.configuration`.
  package let settings: [String]

  /// Reads the fonts from fontconfig; both lists are empty if it can't load its configuration.
  package init() {
    guard let configuration = Self.configuration() else {
      (files, settings) = ([], [])
      return
    }
    defer { FcConfigDestroy(configuration) }
    files = Self.files(of: configuration)
    settings = PinnedFonts.areInForce ? [] : Self.strings(FcConfigGetConfigFiles(configuration))
  }

  /// Returns those of the characters for which a usable font has a glyph.
  package static func drawable(_ characters: Set<UInt32>) -> Set<UInt32> {
    guard let configuration = configuration() else { return [] }
    defer { FcConfigDestroy(configuration) }
    var found: Set<UInt32> = []
    for kind in [FcSetSystem, FcSetApplication] {
      guard let set = FcConfigGetFonts(configuration, kind)?.pointee, let fonts = set.fonts else { continue }
      for index in 0..<Int(set.nfont) {
        var shapes: OpaquePointer?
        guard FcPatternGetCharSet(fonts[index], FC_CHARSET, 0, &shapes) == FcResultMatch, let shapes else { continue }
        found.formUnion(characters.filter { FcCharSetHasChar(shapes, $0) != 0 })
      }
    }
    return found
  }

  /// Returns the configuration with which pages are drawn; the caller has to destroy it.
  private static func configuration() -> OpaquePointer? {
    PinnedFonts.areInForce ? pinned() : FcInitLoadConfigAndFonts()
  }

  private static func pinned() -> OpaquePointer? {
    guard let configuration = FcConfigCreate() else { return nil }
    let text = PinnedFonts.configuration + [0]
    let isRead = text.withUnsafeBufferPointer {
      FcConfigParseAndLoadFromMemory(configuration, $0.baseAddress, FcBool(1))
    }
    guard isRead != 0, FcConfigBuildFonts(configuration) != 0 else {
      FcConfigDestroy(configuration)
      return nil
    }
    return configuration
  }

  private static func files(of configuration: OpaquePointer) -> [String] {
    var found: Set<String> = []
    for kind in [FcSetSystem, FcSetApplication] {
      guard let set = FcConfigGetFonts(configuration, kind)?.pointee, let fonts = set.fonts else { continue }
      for index in 0..<Int(set.nfont) {
        var file: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(fonts[index], FC_FILE, 0, &file) == FcResultMatch, let file else { continue }
        found.insert(String(cString: file))
      }
    }
    return found.sorted()
  }

  private static func strings(_ list: OpaquePointer?) -> [String] {
    guard let list else { return [] }
    defer { FcStrListDone(list) }
    var found: [String] = []
    while let text = FcStrListNext(list) { found.append(String(cString: text)) }
    return found
  }
}

/// Fonts that pages use regardless of installed ones, unless the user names a configuration.
package enum PinnedFonts {
  /// Name of the environment variable for a configuration.
  package static let variable = "FONTCONFIG_FILE"

  /// Configuration for fontconfig, in XML.
  package static var configuration: [UInt8] { PackageResources.fonts_conf }

  /// Returns the configuration with a folder for cached lists of fonts, read by processes that can't write to it.
  package static func configuration(cachingIn folder: String) -> [UInt8] {
    let text = String(decoding: configuration, as: UTF8.self)
    let line = "<cachedir>\(folder)</cachedir>"
    return Array(text.replacing(users, with: line).utf8)
  }

  /// Element of the configuration that names the user's own cache folder, which only that user may use.
  private static let users = #"<cachedir prefix="xdg">fontconfig</cachedir>"#

  /// Indicates if the environment names no other configuration.
  package static var areInForce: Bool { getenv(variable) == nil }
}
