package import Core

/// Call of a playable to its network, by a function or by a word to the parent window.
package struct PlayableCall: Hashable, Sendable {
  /// Call as the data has it: `FbPlayableAd.onCTAClick`, or `parent.postMessage('download')`.
  package var name: String
  /// Arguments that the page passed; null for those that JSON can't represent.
  package var arguments: [JSONValue]
  /// Indicates if the user had just touched the ad.
  package var gesture: Bool
  /// Reason why the call has no effect, such as an unknown event; nil for none.
  package var problem: String?

  package init(_ name: String, arguments: [JSONValue] = [], gesture: Bool = false, problem: String? = nil) {
    (self.name, self.arguments, self.gesture, self.problem) = (name, arguments, gesture, problem)
  }

  /// Name of the function without the objects that it belongs to.
  var action: String { String(name.split(separator: ".").last ?? "") }

  /// Reads a call from the message's object; nil if it has no name.
  init?(_ value: JSONValue) {
    guard let name = value["call"]?.string, !name.isEmpty else { return nil }
    self.init(
      name, arguments: value["args"]?.array ?? [], gesture: value["gesture"]?.bool ?? false,
      problem: value["problem"]?.string)
  }

  /// Address that a call for the store names; nil for none, as a text without a scheme may mean anything.
  package var url: String? {
    arguments.first?.string.flatMap { AdLink.scheme(of: AdLink.trim($0)) == nil ? nil : $0 }
  }
}
