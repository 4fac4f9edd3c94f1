internal import Cluster
internal import Core
internal import Foundation
internal import Glibc

/// File transfers between this server and workers or senders, piece by piece, with limits for each user.
actor BrokerFiles {
  /// State of an upload.
  enum Upload: Sendable {
    /// Incomplete upload, whose next piece is expected by this transfer.
    case wanted(FileTransfer)
    case whole(TakenFile)
  }
  /// A complete upload whose hash hasn't been checked yet.
  struct TakenFile: Sendable {
    let path: String
    let sha256: String
    let size: Int
    let isServed: Bool
  }
  private struct Arriving {
    let user: String
    let file: TakenFile
    var offset: Int
    var latest = ContinuousClock.now
  }
  private struct Leaving {
    let user: String
    let source: FilePieces
    var latest = ContinuousClock.now
  }

  /// Maximum number of transfers per user, and the time without a piece after which one is dropped.
  private static let (mostOfOne, patience) = (32, Duration.seconds(60))
  /// Maximum size in bytes of a creative from a sender, and of a result.
  private static let (largestCreative, largestResult) = (400_000_000, 2_000_000_000)
  private let server: String
  private let scratch: @Sendable () -> String
  private var arriving: [String: Arriving] = [:]
  private var leaving: [String: Leaving] = [:]

  init(server: String, scratch: @escaping @Sendable () -> String) { (self.server, self.scratch) = (server, scratch) }

  static let broken = Fault.request("transfer-broken", "a received file has a wrong size or hash")
  private static let gone = Fault.engine(.transferGone, "this server doesn't have the first part of the file")

  /// A path for a new temporary file of this server.
  nonisolated func newPath() -> String { scratch() }

  /// Begins an upload with its first piece; the upload is complete if there is only one.
  func begin(
    _ size: Int, _ sha256: String, _ isServed: Bool, _ body: [UInt8], _ caller: QueueCaller
  ) throws(Fault) -> Upload {
    let most = caller.role == .sender ? Self.largestCreative : Self.largestResult
    guard (0...most).contains(size), ContentHash.isOne(sha256) else {
      throw .request("transfer-too-large", "a file of \(size) bytes exceeds the limit of \(most) bytes")
    }
    guard arriving.values.count(where: { $0.user == caller.user }) < Self.mostOfOne else {
      throw .engine("nats-busy", "\(caller.user) has \(Self.mostOfOne) transfers in progress")
    }
    let path = scratch()
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw DurableFile.fault("write", path)
    }
    let file = TakenFile(path: path, sha256: sha256, size: size, isServed: isServed)
    let id = Token.chance()
    arriving[id] = Arriving(user: caller.user, file: file, offset: 0)
    return try append(body, to: id, at: 0, for: caller)
  }

  /// Appends the next piece to an upload; a piece that was received already is ignored.
  func append(
    _ body: [UInt8], to id: String, at offset: Int, for caller: QueueCaller
  ) throws(Fault) -> Upload {
    guard let known = arriving[id], known.user == caller.user else { throw Self.gone }
    let file = known.file
    guard offset <= known.offset, offset >= 0, body.count <= QueueMessage.piece,
      offset == known.offset || offset + body.count <= known.offset
    else { throw Self.broken }
    if offset == known.offset {
      guard known.offset + body.count <= file.size, !body.isEmpty || file.size == 0 else {
        forget(id)
        throw Self.broken
      }
      try Self.write(body, to: file.path)
      arriving[id]?.offset += body.count
      arriving[id]?.latest = .now
    }
    guard let received = arriving[id]?.offset, received == file.size else {
      return .wanted(FileTransfer(id: id, server: server))
    }
    arriving[id] = nil
    return .whole(file)
  }

  private func forget(_ id: String) {
    if let known = arriving.removeValue(forKey: id) { unlink(known.file.path) }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    let target = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard target >= 0 else { throw DurableFile.fault("write", path) }
    defer { close(target) }
    try DurableFile.write(all: bytes, to: target, at: path)
  }

  /// Keeps a file open for download, even if its name is removed meanwhile.
  func lend(_ source: FilePieces, to caller: QueueCaller) throws(Fault) -> FileTransfer {
    guard leaving.values.count(where: { $0.user == caller.user }) < Self.mostOfOne else {
      throw .engine("nats-busy", "\(caller.user) has \(Self.mostOfOne) transfers in progress")
    }
    let id = Token.chance()
    leaving[id] = Leaving(user: caller.user, source: source)
    return FileTransfer(id: id, server: server)
  }

  /// A piece of a download; the last piece ends the download.
  func piece(of id: String, at offset: Int, for caller: QueueCaller) throws(Fault) -> [UInt8] {
    guard let known = leaving[id], known.user == caller.user else { throw Self.gone }
    guard (0...known.source.size).contains(offset) else { throw Self.broken }
    let piece = try known.source.piece(at: offset)
    leaving[id]?.latest = .now
    if offset + piece.count >= known.source.size { leaving[id] = nil }
    return piece
  }

  /// Drops transfers without progress, until the task is cancelled.
  func expire() async {
    while (try? await Task.sleep(for: .seconds(10))) != nil {
      let limit = ContinuousClock.now - Self.patience
      for (id, known) in arriving where known.latest < limit { forget(id) }
      leaving = leaving.filter { $0.value.latest >= limit }
    }
    for id in Array(arriving.keys) { forget(id) }
  }
}
