package import Core
internal import Foundation

/// Script that defines `window.mraid` in an ad's page at document start.
package enum BridgeScript {
  /// Placeholder in the script for its configuration.
  package static let placeholder = "__GALLEY_CONFIG__"

  /// Placeholder in scripts for their link to the host.
  package static let linkPlaceholder = "__GALLEY_LINK__"

  /// Returns the script's source, for the page's main world and the top frame only.
  ///
  /// `channelName` is the secret from which its link to the host is made; `properties` are a session's initial ones;
  /// `environment` becomes `MRAID_ENV`; `behaviour` holds the container's differences in the page. `template` is
  /// another script with the same placeholders, used in place of the built-in one.
  package static func source(
    channelName: String, properties: [String: JSONValue], environment: [String: JSONValue],
    behaviour: BridgeBehaviour = BridgeBehaviour(), template other: String? = nil
  ) -> String {
    var config: [String: JSONValue] = ["properties": .object(properties), "environment": .object(environment)]
    if behaviour != BridgeBehaviour() { config["container"] = behaviour.json }
    let script = (other ?? template).replacing(otherPlaceholder, with: interface(behaviour.interface))
    let parts = linked(script, channelName: channelName)
      .split(separator: placeholder, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.joined(separator: JSONValue.object(config).text)
  }

  /// Inserts the link to the host into a script that has a placeholder for it; others are returned unchanged.
  package static func linked(_ script: String, channelName: String) -> String {
    guard script.contains(linkPlaceholder) else { return script }
    return script.replacing(linkPlaceholder, with: "(\(link.replacing("__GALLEY_CHANNEL__", with: channelName)))")
  }

  /// Returns the script of the interface that ads get instead of `mraid`.
  private static func interface(_ interface: BridgeBehaviour.Interface) -> String {
    switch interface {
    case .mraid: "null"
    case .safeframe: safeFrame
    case .playable: playable
    }
  }

  /// Placeholder in the script for another interface that ads get instead of `mraid`.
  private static let otherPlaceholder = "__GALLEY_OTHER__"
  private static let safeFrame = String(decoding: PackageResources.safeframe_js, as: UTF8.self)
  private static let playable = String(decoding: PackageResources.playable_js, as: UTF8.self)
  private static let link = String(decoding: PackageResources.link_js, as: UTF8.self)
  private static let template = String(decoding: PackageResources.bridge_js, as: UTF8.self)
}

extension BridgeUpdate {
  /// The update as the bridge receives it: `{properties, events: [{name, arguments}]}`.
  package var json: JSONValue {
    let events = events.map { JSONValue.object(["name": .string($0.name), "arguments": .array($0.arguments)]) }
    return ["properties": .object(properties), "events": .array(events)]
  }
}

/// Script of a container, such as `mraid.js`: a page's request for it is answered by an empty one.
package enum ContainerScript {
  /// Body of the answer to every such request, as the interface is there already.
  package static let body = "/* The container has provided its interface since document start. */\n"

  /// Returns true if the URL's path ends in one of the names, in any directory and case, with any query or fragment.
  package static func isRequested(by url: String, of names: [String]) -> Bool {
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
    return names.contains(name.lowercased())
  }
}

/// Page's request for `mraid.js`.
package enum MRAIDScriptRequest {
  /// Returns true if the URL's path ends in `mraid.js`, in any directory and case, with any query or fragment.
  package static func matches(_ url: String) -> Bool {
    ContainerScript.isRequested(by: url, of: ContainerBehaviour.spec.scripts)
  }
}
