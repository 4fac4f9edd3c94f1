internal import Core

/// Conversion of a URL path into path components below a creative's root.
enum ResourcePath {
  /// Removes query and fragment, decodes percent escapes once, and resolves `.` and `..` without leaving the root.
  ///
  /// Nil if the path isn't UTF-8 or contains a NUL.
  static func components(_ urlPath: String) -> [String]? {
    let path = urlPath.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let decoded = PercentEscapes.decoded(Array(path))
    guard !decoded.contains(0), let text = String(validating: decoded, as: UTF8.self) else { return nil }
    return normalise(text)
  }

  /// Removes empty and `.` components; `..` removes the one before it, if there is one.
  static func normalise(_ path: String) -> [String] {
    var components: [String] = []
    for component in split(path.utf8) where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return components
  }

  /// Returns the components that aren't empty.
  ///
  /// Bytes are compared, as a combining mark after a slash would hide it from `Character`.
  static func split(_ path: some Collection<UInt8>) -> [String] {
    path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// MIME types by file extension.
package enum MediaType {
  /// Returns the MIME type of a path; `application/octet-stream` if the extension is unknown.
  package static func of(path: String) -> String {
    byExtension[AbsolutePath.stem(path).fileExtension] ?? "application/octet-stream"
  }

  /// Indicates if a charset parameter is meaningful for `type`.
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
