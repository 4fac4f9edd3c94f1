import Core
import Glibc
import TestFolders
import Testing

@testable import Creatives

struct FolderBundleTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write("ad/index.html", "<!DOCTYPE html><title>T</title>")
    try folder.write("ad/img/a.png", "a")
    try folder.write("ad/b.js", "b")
  }

  @Test func folderOpensWithItsIndexAsEntry() throws {
    let bundle = try folder.open("ad")
    #expect(bundle.kind == .folder)
    #expect(bundle.kind.rawValue == "folder")
    #expect(bundle.entry?.path == "index.html")
    #expect(bundle.entry?.bytes == Array("<!DOCTYPE html><title>T</title>".utf8))
    #expect(bundle.entry?.contentType == "text/html; charset=utf-8")
    #expect(bundle.meta.title == "T")
    #expect(bundle.url == nil)
  }

  @Test func resourcesAreServedByURLPath() throws {
    try folder.write("ad/a b.css", "c")
    let bundle = try folder.open("ad")
    #expect(try bundle.resource(path: "/img/a.png?v=1") == BundleResource(path: "img/a.png", bytes: Array("a".utf8)))
    #expect(try bundle.resource(path: "a%20b.css")?.contentType == "text/css; charset=utf-8")
    #expect(try bundle.resource(path: "/") == bundle.entry)
    #expect(try bundle.resource(path: "x/../index.html") == bundle.entry)
    #expect(try bundle.resource(path: "/img") == nil)
    #expect(try bundle.resource(path: "/img/missing.png") == nil)
    #expect(try bundle.resource(path: "/index.html/x") == nil)
  }

  @Test func nothingOutsideTheFolderIsServed() throws {
    let secret = try folder.write("secret.txt", "s")
    try folder.write("ad-secret/x.txt", "s")
    try folder.link("ad/link.txt", to: secret)
    try folder.link("ad/up", to: "..")
    try folder.link("ad/sibling", to: "../ad-secret")
    try folder.link("ad/passwd", to: "/etc/passwd")
    try folder.link("ad/device", to: "/dev/zero")
    try folder.link("ad/inside.js", to: "b.js")
    try folder.link("ad/self", to: "self")
    mkfifo(folder.path + "/ad/pipe", 0o600)
    let bundle = try folder.open("ad")
    for path in [
      "../secret.txt", "%2e%2e/secret.txt", "..%2f..%2f..%2fetc/passwd", "link.txt", "up/secret.txt", "sibling/x.txt",
      "passwd", "device", "self", "pipe", "/etc/passwd", "..%2F%CC%88/../secret.txt", "a%00b",
    ] {
      #expect(try bundle.resource(path: path) == nil, "\(path)")
    }
    #expect(try bundle.resource(path: "inside.js")?.bytes == Array("b".utf8))
  }

  @Test func hiddenAndSideFilesAreNoPartOfTheCreative() throws {
    let plain = try folder.open("ad").sha256
    try folder.write("ad/.env", "s")
    try folder.write("ad/.git/config", "s")
    try folder.write("ad/scenario.yaml", "steps: []")
    try folder.write("ad/expected.yaml", "x")
    try folder.link("ad/config", to: ".git/config")
    let bundle = try folder.open("ad")
    #expect(bundle.sha256 == plain)
    for path in [".env", ".git/config", "config", "scenario.yaml", "expected.yaml"] {
      #expect(try bundle.resource(path: path) == nil, "\(path)")
    }
  }

  @Test func hashIsOfTheSortedListOfFileHashes() throws {
    #expect(
      try folder.open("ad").sha256 == "e31bcfbf1a3f4b9e1eeb3ba6095698ae9439b293480df8f0783943b4a25e6683")
  }

  @Test func hashChangesWithAnyFile() throws {
    let before = try folder.open("ad").sha256
    try folder.write("ad/deep/er/x", "")
    #expect(try folder.open("ad").sha256 != before)
  }

  @Test func linkedFoldersDontLoopTheHash() throws {
    let before = try folder.open("ad").sha256
    try folder.link("ad/loop", to: ".")
    #expect(try folder.open("ad").sha256 == before)
  }

  @Test func indexLinkedFromOutsideIsNoIndex() throws {
    try folder.makeFolder("other")
    try folder.link("other/index.html", to: "../ad/index.html")
    #expect(folder.fault("other")?.code == "index-missing")
  }

  @Test func faultsNameWhoIsToBlame() throws {
    try folder.makeFolder("bare")
    #expect(folder.fault("bare") == .creative("index-missing", "\(folder.path)/bare has no index.html"))
    try folder.write("blank/index.html", "")
    #expect(folder.fault("blank") == .creative("creative-empty", "index.html is empty"))
    #expect(folder.fault("gone")?.code == "file-missing")
    #expect(folder.fault("gone")?.origin == .request)
  }

  @Test func largeFilesAreFaultsOnDemandOnly() throws {
    _ = try folder.writeSparse("ad/huge.mp4", size: 100_000_001)
    var limits = BundleLimits.standard
    limits.largestFile = 1_000
    try folder.write("ad/img/big.png", [UInt8](repeating: 0, count: 1_001))
    let bundle = try folder.open("ad", limits: limits)
    #expect(throws: Fault.creative("file-too-large", "huge.mp4 has 100.1 MB, the limit is 0.1 MB")) {
      try bundle.resource(path: "huge.mp4")
    }
    let fault = #expect(throws: Fault.self) { try bundle.resource(path: "img/big.png") }
    #expect(fault?.code == "file-too-large")
  }

  @Test func listsEveryFileOfItsOwn() throws {
    let secret = try folder.write("secret.txt", "s")
    try folder.link("ad/link.txt", to: secret)
    for name in ["scenario.yaml", "galley.yaml", ".hidden", "img/scenario.yaml"] { try folder.write("ad/\(name)", "x") }
    #expect(try folder.open("ad").paths() == ["b.js", "img/a.png", "img/scenario.yaml", "index.html"])
    #expect(try folder.open("ad/index.html").paths() == nil)
  }
}

struct ResourcePathTests {
  @Test(arguments: [
    ("/img/a%20b.png?x=1#y", ["img", "a b.png"]), ("img//./a.png", ["img", "a.png"]), ("", []), ("/", []),
    ("/../../etc/passwd", ["etc", "passwd"]), ("/a/%2e%2e/%2E%2e/b", ["b"]), ("/a%2Fb", ["a", "b"]),
    ("/..%2f..%2fx", ["x"]), ("/%252e%252e/x", ["%2e%2e", "x"]), ("/100%/50%z1%4", ["100%", "50%z1%4"]),
    ("/a#?b", ["a"]), ("/%C3%A4.png", ["ä.png"]), ("/a/..%2F%CC%88x", ["\u{308}x"]),
  ])
  func pathsStayBelowTheRoot(path: String, components: [String]) {
    #expect(ResourcePath.components(path) == components)
  }

  @Test(arguments: ["/a%00.png", "/%FF", "/%C3"])
  func whatNamesNoFileIsNil(path: String) {
    #expect(ResourcePath.components(path) == nil)
  }
}

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
