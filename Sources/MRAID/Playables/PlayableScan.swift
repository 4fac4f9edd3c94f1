internal import Core

/// Search of a playable's code for the networks to which it speaks.
package struct PlayableScan: Sendable {
  /// Network in whose host a build opens the store.
  package struct Network: Hashable, Sendable, Encodable {
    /// Name of the host's container.
    package let container: String
    /// Calls found, sorted.
    package let calls: [String]
  }

  /// Hosts with their calls.
  private let hosts: [(name: String, calls: [Call])]
  private var code: PlayableCode

  /// Creates a search for the hosts among these containers.
  package init(containers: [ContainerProfile] = ContainerCatalogue.standard.containers) {
    hosts = containers.filter(\.isForPlayables).map { ($0.name, Call.all(of: $0.behaviour.bridge.playable)) }
    code = PlayableCode(calls: hosts.flatMap(\.calls).map(\.call))
  }

  /// Reads a script.
  package mutating func read(script bytes: [UInt8]) { code.read(script: bytes) }

  /// Reads the scripts and event handlers of a page.
  package mutating func read(page bytes: [UInt8]) { code.read(page: bytes) }

  /// Networks whose store the files read so far open, in the catalogue's order.
  package var networks: [Network] {
    hosts.compactMap { name, calls in
      let those = calls.filter { code.use(of: $0.call) == .called }
      guard those.contains(where: { $0.opensStore && isCertain($0, among: those, of: calls) }) else { return nil }
      return Network(container: name, calls: those.map(\.name).sorted())
    }
  }

  /// Returns false for a plain name, such as `install`, without another of the network's calls, if it has others.
  private func isCertain(_ call: Call, among those: [Call], of all: [Call]) -> Bool {
    let isPlain = call.call.parts.count == 1 && call.call.argument == nil
    return !isPlain || those.count > 1 || all.allSatisfy(\.opensStore)
  }

  /// Call of an interface.
  private struct Call: Hashable, Sendable {
    let name: String
    let call: PlayableCode.Call
    let opensStore: Bool

    static func all(of interface: PlayableInterface) -> [Call] {
      let messages = interface.messages.map { (PlayableInterface.call(posting: $0.key), $0.value) }
      return (interface.functions.map { ($0.key, $0.value) } + messages).map { name, role in
        Call(name: name, call: PlayableCode.Call(name), opensStore: role == .store)
      }
    }
  }
}
