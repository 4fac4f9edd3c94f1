import Testing

@testable import Bundles

struct MediaTypeTests {
  @Test(arguments: [
    ("html", "text/html"), ("HTM", "text/html"), ("js", "text/javascript"), ("mjs", "text/javascript"),
    ("css", "text/css"), ("json", "application/json"), ("svg", "image/svg+xml"), ("png", "image/png"),
    ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("gif", "image/gif"), ("webp", "image/webp"),
    ("avif", "image/avif"), ("ico", "image/x-icon"), ("mp4", "video/mp4"), ("webm", "video/webm"),
    ("mov", "video/quicktime"), ("mp3", "audio/mpeg"), ("ogg", "audio/ogg"), ("wav", "audio/wav"), ("m4a", "audio/mp4"),
    ("woff", "font/woff"), ("woff2", "font/woff2"), ("ttf", "font/ttf"), ("otf", "font/otf"),
    ("xml", "application/xml"), ("txt", "text/plain"), ("wasm", "application/wasm"),
    ("bin", "application/octet-stream"), ("glb", "model/gltf-binary"), ("map", "application/json"), ("vtt", "text/vtt"),
    ("lottie", "application/zip"), ("nonsense", "application/octet-stream"),
  ])
  func typesFollowTheExtension(fileExtension: String, type: String) {
    #expect(MediaType.of(path: "a/b.c/file." + fileExtension) == type)
  }

  @Test func fileWithoutExtensionIsBytes() {
    #expect(MediaType.of(path: "js") == "application/octet-stream")
    #expect(MediaType.of(path: "a.js/readme") == "application/octet-stream")
  }

  @Test(arguments: [
    ("a.css", "body{}", "text/css; charset=utf-8"), ("a.svg", "<svg/>", "image/svg+xml; charset=utf-8"),
    ("a.json", "{}", "application/json; charset=utf-8"), ("a.png", "x", "image/png"),
    ("a.html", "<meta charset=Windows-1252>", "text/html; charset=windows-1252"),
    ("a.js", "<meta charset=windows-1252>", "text/javascript; charset=utf-8"),
  ])
  func textSaysItsCharset(path: String, text: String, contentType: String) {
    #expect(BundleResource(path: path, bytes: Array(text.utf8)).contentType == contentType)
  }

  @Test func charsetFollowsTheByteOrderMarkElseTheBytes() {
    #expect(
      BundleResource(path: "a.js", bytes: [0xFF, 0xFE, 0x61, 0]).contentType == "text/javascript; charset=utf-16le")
    #expect(
      BundleResource(path: "a.js", bytes: [0xFE, 0xFF, 0, 0x61]).contentType == "text/javascript; charset=utf-16be")
    #expect(BundleResource(path: "a.css", bytes: [0x61, 0xE9]).contentType == "text/css")
  }
}
