internal import Core

/// A URL path turned into the way down from a creative's root.
enum ResourcePath {
  /// Query and fragment cut, percent escapes decoded once, `.` and `..` resolved and held at the root; nil when it
  /// isn't UTF-8 or holds a NUL.
  static func components(_ urlPath: String) -> [String]? {
    let path = urlPath.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let decoded = decode(Array(path))
    guard !decoded.contains(0), let text = String(validating: decoded, as: UTF8.self) else { return nil }
    return normalise(text)
  }

  /// Without empty and `.` components; `..` takes back the one before it, never more than there are.
  static func normalise(_ path: String) -> [String] {
    var components: [String] = []
    for component in split(path.utf8) where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return components
  }

  /// The components that aren't empty; by bytes, since a combining mark after a slash would hide it from `Character`.
  static func split(_ path: some Collection<UInt8>) -> [String] {
    path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Decodes each valid `%XX`; a stray percent sign stays, as in browsers.
  private static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) : nil
  }
}

/// MIME types by file extension.
package enum MediaType {
  /// `application/octet-stream` when the extension is unknown.
  package static func of(path: String) -> String {
    byExtension[AbsolutePath.stem(path).fileExtension] ?? "application/octet-stream"
  }

  /// Whether a charset parameter means anything for `type`.
  static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasSuffix("+xml") || type.hasSuffix("json")
      || ["application/xml", "application/vnd.apple.mpegurl"].contains(type)
  }

  private static let byExtension: [String: String] = [
    // Text.
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml", "css": "text/css",
    "js": "text/javascript", "mjs": "text/javascript", "cjs": "text/javascript", "json": "application/json",
    "map": "application/json", "lottie": "application/zip", "txt": "text/plain", "md": "text/markdown",
    "csv": "text/csv", "xml": "application/xml", "vast": "application/xml", "vtt": "text/vtt", "srt": "text/plain",
    "glsl": "text/plain", "vert": "text/plain", "frag": "text/plain", "atlas": "text/plain", "fnt": "text/plain",
    "webmanifest": "application/manifest+json", "gltf": "model/gltf+json", "yaml": "text/yaml", "yml": "text/yaml",
    // Pictures.
    "svg": "image/svg+xml", "png": "image/png", "apng": "image/apng", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "jfif": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon",
    "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "jxl": "image/jxl", "heic": "image/heic",
    "cur": "image/x-icon",
    // Video and sound.
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime", "ogv": "video/ogg",
    "3gp": "video/3gpp", "m3u8": "application/vnd.apple.mpegurl", "ts": "video/mp2t", "m4s": "video/iso.segment",
    "mpd": "application/dash+xml", "mp3": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
    "wav": "audio/wav", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac", "weba": "audio/webm",
    // Fonts.
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf", "ttc": "font/collection",
    "eot": "application/vnd.ms-fontobject",
    // Data.
    "wasm": "application/wasm", "bin": "application/octet-stream", "glb": "model/gltf-binary",
    "pdf": "application/pdf", "zip": "application/zip", "basis": "application/octet-stream",
    "ktx2": "image/ktx2", "riv": "application/octet-stream", "data": "application/octet-stream",
  ]
}
