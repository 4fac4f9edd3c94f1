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

  /// Hosts with the names that their calls consist of.
  private let hosts: [(name: String, calls: [Call])]
  /// All names searched for; longer text can't be one of them.
  private let names: Set<String>
  private let longestName: Int
  /// Names found, and pairs of names with no other name between them.
  private var found: Set<[String]> = []

  /// Creates a search for the hosts among these containers.
  package init(containers: [ContainerProfile] = ContainerCatalogue.standard.containers) {
    hosts = containers.filter(\.isForPlayables).map { ($0.name, Call.all(of: $0.behaviour.bridge.playable)) }
    names = Set(hosts.flatMap(\.calls).flatMap(\.names))
    longestName = names.map(\.utf8.count).max() ?? 0
  }

  /// Reads a file's text, such as an HTML page or a script.
  package mutating func read(_ bytes: [UInt8]) {
    var last: String?
    var start = 0
    // Word by word: a list of all words of a hostile file would be many times as large as the file.
    while let first = bytes[start...].firstIndex(where: \.isOfScriptName) {
      start = bytes[first...].firstIndex { !$0.isOfScriptName } ?? bytes.endIndex
      let name = start - first <= longestName ? String(decoding: bytes[first..<start], as: UTF8.self) : ""
      guard names.contains(name) else {
        last = nil
        continue
      }
      found.insert([name])
      if let last { found.insert([last, name]) }
      last = name
    }
  }

  /// Networks whose store the files read so far can open, in the catalogue's order.
  package var networks: [Network] {
    hosts.compactMap { name, calls in
      let those = calls.filter { found.contains($0.names) }
      guard those.contains(where: { $0.opensStore && isCertain($0, among: those, of: calls) }) else { return nil }
      return Network(container: name, calls: those.map(\.name).sorted())
    }
  }

  /// Returns false for a plain name, such as `install`, without another of the network's calls, if it has others.
  private func isCertain(_ call: Call, among those: [Call], of all: [Call]) -> Bool {
    call.names.count > 1 || those.count > 1 || all.allSatisfy(\.opensStore)
  }

  /// Call of an interface in the form in which code has it.
  private struct Call: Hashable, Sendable {
    let name: String
    /// One name, or two that follow each other.
    let names: [String]
    let opensStore: Bool

    static func all(of interface: PlayableInterface) -> [Call] {
      let functions = interface.functions.map { path, role in
        Call(name: path, names: path.split(separator: ".").suffix(2).map(String.init), opensStore: role == .store)
      }
      let messages = interface.messages.map { word, role in
        Call(name: PlayableInterface.call(posting: word), names: ["postMessage", word], opensStore: role == .store)
      }
      return functions + messages
    }
  }
}
