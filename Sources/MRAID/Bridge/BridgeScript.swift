package import Core
internal import Foundation

/// The script that puts `window.mraid` into an ad's page at document start.
package enum BridgeScript {
  /// Stands in the script where its configuration goes.
  package static let placeholder = "__GALLEY_CONFIG__"

  /// Stands in scripts where they get their own way to the host.
  package static let linkPlaceholder = "__GALLEY_LINK__"

  /// The script's source, for the page's main world and the top frame only.
  ///
  /// `channelName` is the secret by which its way to the host is made; `properties` are a session's initial ones;
  /// `environment` becomes `MRAID_ENV`; `behaviour` is what the container does otherwise in the page.
  /// `template` is another script in its own one's place, with placeholders like it.
  package static func source(
    channelName: String, properties: [String: JSONValue], environment: [String: JSONValue],
    behaviour: BridgeBehaviour = BridgeBehaviour(), template other: String? = nil
  ) -> String {
    var config: [String: JSONValue] = ["properties": .object(properties), "environment": .object(environment)]
    if behaviour != BridgeBehaviour() { config["container"] = behaviour.json }
    let interface = behaviour.interface == .safeframe ? safeFrame : "null"
    let script = (other ?? template).replacing(otherPlaceholder, with: interface)
    let parts = linked(script, channelName: channelName)
      .split(separator: placeholder, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.joined(separator: JSONValue.object(config).text)
  }

  /// A script that is to speak to the host, with its way there in it.
  package static func linked(_ script: String, channelName: String) -> String {
    guard script.contains(linkPlaceholder) else { return script }
    return script.replacing(linkPlaceholder, with: "(\(link.replacing("__GALLEY_CHANNEL__", with: channelName)))")
  }

  /// Stands in the script where another interface goes that ads meet instead of `mraid`.
  private static let otherPlaceholder = "__GALLEY_OTHER__"
  private static let safeFrame = String(decoding: PackageResources.safeframe_js, as: UTF8.self)
  private static let link = String(decoding: PackageResources.link_js, as: UTF8.self)
  private static let template = String(decoding: PackageResources.bridge_js, as: UTF8.self)
}

extension BridgeUpdate {
  /// As the bridge takes it: `{properties, events: [{name, arguments}]}`.
  package var json: JSONValue {
    let events = events.map { JSONValue.object(["name": .string($0.name), "arguments": .array($0.arguments)]) }
    return ["properties": .object(properties), "events": .array(events)]
  }
}

/// A page's request for `mraid.js`: the bridge is there already, so what it gets does nothing.
package enum MRAIDScriptRequest {
  /// Served for every request, as often as the page asks.
  package static let body = "/* mraid is provided by the container since document start. */\n"

  /// Whether the URL's path ends in `mraid.js`, in any directory and case, whatever query or fragment follows.
  package static func matches(_ url: String) -> Bool {
    var rest = Substring(AdLink.trim(url))
    rest = rest.prefix { $0 != "#" && $0 != "?" }
    if let scheme = AdLink.scheme(of: String(rest)) {
      guard scheme != "data", scheme != "javascript", scheme != "blob" else { return false }
      rest = rest.dropFirst(scheme.count + 1)
    }
    if rest.hasPrefix("//") {
      guard let path = rest.dropFirst(2).firstIndex(of: "/") else { return false }
      rest = rest[path...]
    }
    let name = rest.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return name.lowercased() == "mraid.js"
  }
}
