/// One call of an `mraid` method; of a getter only the first in each state is reported.
package struct BridgeCall: Hashable, Sendable {
  /// The bare method name.
  package var name: String
  /// As the page gave them; what JSON can't say is null.
  package var arguments: [JSONValue]
  /// Whether the person had just touched the ad (`navigator.userActivation.isActive`).
  package var gesture: Bool
  /// What `getState()` answered at that moment.
  package var state: MRAIDState?
  /// What the bridge itself found wrong with the call.
  package var problem: String?
  /// Whether the container does nothing about it.
  package var isInert: Bool
  /// The `error` that listeners heard in the call, where the container raises them so.
  package var told: String?
  /// Whether a listener removed itself while it ran and has another after it, which some containers then miss.
  package var skipsListener: Bool

  package init(
    name: String, arguments: [JSONValue] = [], gesture: Bool = false, state: MRAIDState? = nil, problem: String? = nil,
    isInert: Bool = false, told: String? = nil, skipsListener: Bool = false
  ) {
    self.name = name
    self.arguments = arguments
    self.gesture = gesture
    self.state = state
    self.problem = problem
    self.isInert = isInert
    self.told = told
    self.skipsListener = skipsListener
  }

  /// Reads the message's object; nil without a name.
  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string, !name.isEmpty else { return nil }
    self.init(
      name: name, arguments: value["args"]?.array ?? [], gesture: value["gesture"]?.bool ?? false,
      state: value["state"]?.string.flatMap(MRAIDState.init(rawValue:)), problem: value["problem"]?.string,
      isInert: value["inert"]?.bool ?? false, told: value["told"]?.string,
      skipsListener: value["skips"]?.bool ?? false)
  }
}
