internal import CFontconfig
internal import Glibc

/// The fonts that pages on this machine are drawn with: the pinned ones, or those of the caller's own configuration.
package struct UsableFonts: Hashable, Sendable {
  /// Absolute paths of the font files, sorted, each once.
  package let files: [String]
  /// Absolute paths of a caller's own files that say how fonts are chosen and smoothed, in the order in which they were
  /// read; empty for the pinned fonts, whose configuration is `PinnedFonts.configuration`.
  package let settings: [String]

  /// Asks fontconfig; nothing at all when it can't load its configuration.
  package init() {
    guard let configuration = Self.configuration() else {
      (files, settings) = ([], [])
      return
    }
    defer { FcConfigDestroy(configuration) }
    files = Self.files(of: configuration)
    settings = PinnedFonts.areInForce ? [] : Self.strings(FcConfigGetConfigFiles(configuration))
  }

  /// Which of these characters a usable font has a shape for.
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

  /// The one that pages are drawn by, to be destroyed by who asks.
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

/// The fonts that pages get, whatever else is installed, unless the caller names a configuration of their own.
package enum PinnedFonts {
  /// The environment's name for a configuration.
  package static let variable = "FONTCONFIG_FILE"

  /// For fontconfig, in XML.
  package static var configuration: [UInt8] { PackageResources.fonts_conf }

  /// Whether no other configuration is named.
  package static var areInForce: Bool { getenv(variable) == nil }
}
