import Core
import Foundation
import Testing

@testable import NetworkProxy

/// The user at the other end of a connection, who has to be this program's.
@Suite struct LoopbackPeerTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
       1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
       2: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 65534        0 3 1 0 20 4 30 10 -1
    """

  @Test func `a connection's other end is found by both addresses and ports`() {
    let (own, peer) = ("0100007F:1F90", "0100007F:D431")
    #expect(LoopbackPeer.user(of: peer, connectedTo: own, in: Array(Self.table.utf8)) == 65_534)
    #expect(LoopbackPeer.user(of: own, connectedTo: peer, in: Array(Self.table.utf8)) == 0)
    #expect(LoopbackPeer.user(of: "0100007F:D432", connectedTo: own, in: Array(Self.table.utf8)) == nil)
    for broken in ["", "\n", "a\nb c d", String(Self.table.prefix(300))] {
      #expect(LoopbackPeer.user(of: peer, connectedTo: own, in: Array(broken.utf8)) == nil)
    }
  }

  @Test func `addresses are written as the kernel writes them`() {
    #expect(LoopbackPeer.endpoint(UInt32(0x7F00_0001).bigEndian, 8080) == "0100007F:1F90")
    #expect(LoopbackPeer.endpoint(0, 0) == "00000000:0000")
  }

  private static let canBeAnother = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  @Test(.enabled(if: canBeAnother, "only root can be another user"), .timeLimit(.minutes(1)))
  func `a proxy speaks to its own user's programs and to nobody else's`() async throws {
    let proxy = try await EgressProxy.start(policy: AddressPolicy())
    let ask = "exec 3<>/dev/tcp/127.0.0.1/\(proxy.port); printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"
    #expect(try run(["/bin/bash", "-c", ask]).contains("400 Bad Request"))
    let words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/bin/bash", "-c", ask]
    #expect(try run(words) == "")
    await proxy.stop()
  }

  private func run(_ words: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    (process.executableURL, process.arguments) = (URL(filePath: words[0]), Array(words.dropFirst()))
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
