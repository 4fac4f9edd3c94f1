internal import Core
internal import Foundation
internal import Logging
internal import Queue

/// What a server has of a queue that it shares with others.
struct FarmParts: Sendable {
  let farm: Farm
  let replica: Replica
  let shelf: FarmShelf
  let leadership: Leadership

  /// Has a store and a folder be a copy of what the queue's servers remember.
  static func join(_ farm: Farm, _ store: Store, _ data: inout DataFolder, log: Logger) async throws(Fault) -> FarmParts
  {
    let identity = try await farm.fact("journal") { () throws(Fault) in UUID().uuidString.lowercased() }
    try await store.claim(journal: identity)
    let replica = try await Replica(farm.journal, store, log: log)
    store.follow(replica)
    let shelf = FarmShelf(farm, data, replica, store)
    data.shelf = shelf
    return FarmParts(farm: farm, replica: replica, shelf: shelf, leadership: Leadership(isAlone: false))
  }

  /// Has a secret of the folder be that of all servers: the first decides what it is.
  static func share(secret file: String, as name: String, by farm: Farm) async throws(Fault) {
    let text = try await farm.fact(name) { () throws(Fault) in
      if let bytes = FileManager.default.contents(atPath: file) { return String(decoding: bytes, as: UTF8.self) }
      return name == "webhook-secret"
        ? WebhookSignature.newSecret() + "\n" : Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
          .base64EncodedString() + "\n"
    }
    try DurableFile.write(Array(text.utf8), to: file)
  }
}
