/// The script that puts `window.mraid` into an ad's page at document start.
package enum BridgeScript {
  /// Stands in the script where its configuration goes.
  package static let placeholder = "__GALLEY_CONFIG__"

  /// The script's source, for the page's main world and the top frame only.
  ///
  /// `handlerName` is the message handler that gets ``BridgeMessage`` texts; `channelName` is the secret name of the
  /// function that takes updates; `properties` are a session's initial ones; `environment` becomes `MRAID_ENV`;
  /// `behaviour` is what the container does otherwise in the page.
  /// `template` is another script in its own one's place, with a placeholder like it.
  package static func source(
    handlerName: String, channelName: String, properties: [String: JSONValue], environment: [String: JSONValue],
    behaviour: BridgeBehaviour = BridgeBehaviour(), template other: String? = nil
  ) -> String {
    var config: [String: JSONValue] = [
      "handler": .string(handlerName), "channel": .string(channelName), "properties": .object(properties),
      "environment": .object(environment),
    ]
    if behaviour != BridgeBehaviour() { config["container"] = behaviour.json }
    let parts = (other ?? template).split(separator: placeholder, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.joined(separator: JSONValue.object(config).text)
  }

  /// The expression to evaluate in the page's main world for one `.deliver`.
  package static func call(channelName: String, update: BridgeUpdate) -> String {
    "window[\(JSONValue.string(channelName).text)](\(update.json.text))"
  }

  private static let template = String(decoding: PackageResources.bridge_js, as: UTF8.self)
}

extension BridgeUpdate {
  /// As the bridge takes it: `{properties, events: [{name, arguments}]}`.
  package var json: JSONValue {
    let events = events.map { JSONValue.object(["name": .string($0.name), "arguments": .array($0.arguments)]) }
    return ["properties": .object(properties), "events": .array(events)]
  }
}
