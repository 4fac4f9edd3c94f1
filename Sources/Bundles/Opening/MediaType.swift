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
