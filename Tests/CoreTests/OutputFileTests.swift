import Files
import Foundation
import TestFolders
import Testing

@testable import Core

/// No device of the machine's is touched: nodes, links and pipes are made in a folder of their own.
@Suite("A file that was named for output", .timeLimit(.minutes(1)))
struct OutputFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }
  private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  private func kind(_ name: String) -> mode_t {
    var facts = stat()
    return lstat(path(name), &facts) == 0 ? facts.st_mode & S_IFMT : 0
  }

  @Test("is made with the folders on the way")
  func fresh() throws {
    try OutputFile.write("new", to: path("a/b/c.xml"))
    #expect(try text("a/b/c.xml") == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("a/b")) == ["c.xml"])
  }

  @Test("is replaced at once, with the rights it had")
  func replaced() throws {
    try OutputFile.write("old", to: path("file"))
    chmod(path("file"), 0o640)
    let file = try OutputFile(path("file"))
    try file.write("new".utf8)
    #expect(try text("file") == "old")
    try file.finish()
    #expect(try text("file") == "new")
    var facts = stat()
    stat(path("file"), &facts)
    #expect(facts.st_mode & 0o777 == 0o640)
    #expect(try names() == ["file"])
  }

  @Test("stays as it was when writing ends early, and nothing is left beside it")
  func interrupted() throws {
    try OutputFile.write("old", to: path("file"))
    do {
      let file = try OutputFile(path("file"))
      try file.write("half".utf8)
    }
    #expect(try text("file") == "old")
    #expect(try names() == ["file"])
  }

  @Test("behind links is written where they lead, and the links stay", arguments: ["file", "later"])
  func links(target: String) throws {
    try OutputFile.write("old", to: path("file"))
    try FileManager.default.createSymbolicLink(atPath: path("near"), withDestinationPath: target)
    try FileManager.default.createSymbolicLink(atPath: path("far"), withDestinationPath: path("near"))
    try OutputFile.write("new", to: path("far"))
    #expect(try text(target) == "new")
    #expect(kind("near") == S_IFLNK && kind("far") == S_IFLNK && kind(target) == S_IFREG)
  }

  @Test("behind links that go round is an error")
  func rounds() throws {
    try FileManager.default.createSymbolicLink(atPath: path("one"), withDestinationPath: "two")
    try FileManager.default.createSymbolicLink(atPath: path("two"), withDestinationPath: "one")
    #expect(throws: SystemError(ELOOP)) { try OutputFile.write("x", to: path("one")) }
    #expect(kind("one") == S_IFLNK)
  }

  @Test("that is a folder is an error", arguments: ["sub", "sub/", "sub/."])
  func folders(name: String) throws {
    try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: true)
    #expect(throws: SystemError(EISDIR)) { try OutputFile.write("x", to: path(name)) }
  }

  @Test("that is a pipe is written to and stays one")
  func pipes() async throws {
    try #require(mkfifo(path("pipe"), 0o600) == 0)
    // Both ends, so that neither waits for the other.
    let reader = open(path("pipe"), O_RDWR)
    defer { close(reader) }
    try OutputFile.write("through", to: path("pipe"))
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "through")
    #expect(kind("pipe") == S_IFIFO)
    #expect(try names() == ["pipe"])
  }

  @Test("that is a socket is spoken to")
  func sockets() throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Its path has to be short.
    let place = "/tmp/galley-\(UInt32.random(in: 0...UInt32.max)).s"
    defer { unlink(place) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 1) == 0)
    try OutputFile.write("hello", to: place)
    let peer = accept(listener, nil, nil)
    defer { close(peer) }
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = read(peer, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "hello")
  }

  @Test("that is an open file of this program's is written on, as /dev/stdout is")
  func descriptors() throws {
    let descriptor = open(path("file"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try FileWriting.writeAll("before ".utf8, to: descriptor)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "/proc/self/fd/\(descriptor)")
    try OutputFile.write("through ", to: path("link"))
    try FileWriting.writeAll("after".utf8, to: descriptor)
    #expect(try text("file") == "before through after")
    #expect(kind("link") == S_IFLNK)
    #expect(try names() == ["file", "link"])
  }

  @Test("that is a device is written to and stays one", .enabled(if: geteuid() == 0, "only root makes devices"))
  func devices() throws {
    // The numbers of a device that is always full, and of one that takes everything.
    guard mknod(path("full"), S_IFCHR | 0o666, makedev(1, 7)) == 0,
      mknod(path("null"), S_IFCHR | 0o666, makedev(1, 3)) == 0
    else { return }
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "full")
    for name in ["full", "link"] {
      let error = #expect(throws: SystemError.self) { try OutputFile.write("x", to: path(name)) }
      // A machine may mount its folders so that no device can be opened there.
      #expect([ENOSPC, EACCES].contains(error?.number))
    }
    try? OutputFile.write("x", to: path("null"))
    #expect(kind("full") == S_IFCHR && kind("null") == S_IFCHR && kind("link") == S_IFLNK)
    #expect(try names() == ["full", "link", "null"])
  }

  @Test("is added to at its end")
  func appended() throws {
    try OutputFile.append("one\n", to: path("file"))
    try OutputFile.append("two\n", to: path("file"))
    #expect(try text("file") == "one\ntwo\n")
  }

  /// The device's number as the C library packs it.
  private func makedev(_ major: UInt, _ minor: UInt) -> dev_t { dev_t(major << 8 | minor) }
}
