internal import Cluster
internal import Core
internal import Foundation

extension QueueBroker {
  /// Indicates if a file belongs to a server's render. A sender's file never does; a worker must prove its lease.
  func isServed(_ ticket: LeaseTicket?, _ caller: QueueCaller) throws(Fault) -> Bool {
    switch (caller.role, ticket) {
    case (.sender, nil): return false
    case (.worker, let ticket?) where isProven(ticket, caller): return ticket.isServed
    default: throw Self.forbidden(caller)
    }
  }

  /// Stores a complete file and returns a receipt; otherwise asks for the next piece.
  func finish(_ state: BrokerFiles.Upload, _ caller: QueueCaller) async throws(Fault) -> QueueReply {
    guard case .whole(let file) = state else {
      guard case .wanted(let transfer) = state else { return .done }
      return .wanted(transfer)
    }
    defer { try? FileManager.default.removeItem(atPath: file.path) }
    let contents = file.isServed ? cluster.contents : cluster.batchContents
    // Whoever said another hash gets no receipt for what is kept under the right one.
    guard try await contents.put(file: file.path) == file.sha256 else { throw BrokerFiles.broken }
    var receipt = FileReceipt(sha256: file.sha256, size: file.size)
    receipt.proof = key.signature("file", receipt.text(for: caller))
    return .kept(receipt)
  }

  /// Sends contents: the first piece with the answer, the rest by a transfer.
  func give(
    _ hash: String, _ contents: JetStreamContents, _ caller: QueueCaller
  ) async throws(Fault) -> (QueueReply, [UInt8]) {
    let path = files.newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await contents.getKept(hash, to: path, patience: .seconds(8))
    let source = try FilePieces(path)
    let first = try source.piece(at: 0)
    let transfer = first.count < source.size ? try await files.lend(source, to: caller) : nil
    return (.file(size: source.size, transfer: transfer), first)
  }
}
