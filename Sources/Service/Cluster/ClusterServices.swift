internal import Cluster
internal import Core
internal import Foundation
internal import Logging

/// The parts of a server that work on a queue shared with other servers.
struct ClusterServices: Sendable {
  let cluster: ClusterConnection
  let key: SigningKey
  let replica: Replica
  let shelf: SharedFileStore
  let leadership: Leadership

  /// Connects a store and a folder to the state that the queue's servers share.
  /// - Throws: `cluster-key-differs` where the queue's first server has another key.
  static func join(
    _ cluster: ClusterConnection, _ key: SigningKey, _ store: Store, _ data: inout DataFolder, log: Logger
  ) async throws(Fault) -> ClusterServices {
    let known = try await cluster.fact("cluster") { () throws(Fault) in key.fingerprint }
    guard known == key.fingerprint else {
      throw .request(
        "cluster-key-differs",
        "the queue's other servers use another key: pass theirs with --cluster-key, or choose another --queue-name"
      )
    }
    try await store.position.claim(journal: key.fingerprint)
    let replica = try await Replica(cluster.journal, key, store, log: log)
    store.follow(replica)
    let shelf = SharedFileStore(cluster, key, data, replica, store)
    data.shelf = shelf
    return ClusterServices(
      cluster: cluster, key: key, replica: replica, shelf: shelf, leadership: Leadership(isAlone: false))
  }

  /// Writes a secret shared by all servers to a file.
  static func share(_ secret: [UInt8], prefix: String = "", in file: String) throws(Fault) {
    let text = prefix + Data(secret).base64EncodedString() + "\n"
    try DurableFile.write(Array(text.utf8), to: file)
  }
}
