import Core
import Files
import TestFolders
import Testing

@testable import Cluster
@testable import Service

@Suite struct BrokerFilesTests {
  private let scratch: TestFolder
  private let files: BrokerFiles
  private let caller: QueueCaller

  init() throws {
    let scratch = try TestFolder()
    self.scratch = scratch
    files = BrokerFiles(server: "one") { "\(scratch.path)/\(Token.chance())" }
    caller = try QueueCaller(.sender, user: "sender", instance: "one")
  }

  /// An answer may be lost: its piece then comes a second time.
  @Test func aRepeatedPieceCompletesNoUpload() async throws {
    let bytes = (0..<250).map { UInt8($0) }
    let hash = SHA256()
    hash.update(bytes)
    guard case .wanted(let transfer) = try await files.begin(250, hash.finish().hex, true, Array(bytes[..<100]), caller)
    else {
      Issue.record("the first of three pieces completes it")
      return
    }
    for _ in 1...3 {
      guard case .wanted = try await files.append(Array(bytes[100..<200]), to: transfer.id, at: 100, for: caller) else {
        Issue.record("the second of three pieces completes it")
        return
      }
    }
    guard case .whole(let file) = try await files.append(Array(bytes[200...]), to: transfer.id, at: 200, for: caller)
    else {
      Issue.record("the last piece doesn't complete it")
      return
    }
    #expect(try FileReading.regular(file.path, most: 1_000) == bytes)
  }
}
