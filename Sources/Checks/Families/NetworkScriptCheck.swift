internal import Core
internal import MRAID
internal import RenderModel

/// Script by which a page gets the interface of a playables' network.
///
/// Galley's hosts have the interface without it, so that only the request tells if the page has it at the network.
enum NetworkScriptCheck {
  static let missingScript = Check(
    "missing-network-script", family: .behaviour, severity: .error, title: "The network's script is never requested",
    why: "The network's functions come with its script; without it the call throws, and the store never opens.",
    remedy: "Add the script element that the network's documentation shows, before the first call.",
    source: .playableScripts, needs: .rendered.union([.code]), needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "missing-network-script")
    guard !groups.isEmpty, context.hasLoaded || !context.sources.isEmpty else { return nil }
    return groups.compactMap { group in
      let names = group.rule.scripts ?? []
      guard !context.asks(for: names), let call = context.firstCall(of: group.rule.calls ?? []) else { return nil }
      let script = names.joined(separator: " or ")
      return group.signed(
        CheckIssue("\(call.shown) is called, but the page never requests \(script) of \(group.names)", subject: script))
    }
  }
}

extension CheckContext {
  /// Indicates if the page requested one of these scripts, or would: without a whole render its code counts.
  fileprivate func asks(for names: [String]) -> Bool {
    let asked = requests.map(\.resource.url).filter { ContainerScript.isRequested(by: $0, of: names) }
    // The network has no such file beside the document, even if Galley's host answers.
    let isOwn = inventory?.files.contains { ContainerScript.isRequested(by: $0.path, of: names) } == true
    if isOwn ? !asked.isEmpty : asked.contains(where: { !$0.hasPrefix("creative:") }) { return true }
    guard !hasLoaded || record.outcome != .completed else { return false }
    return sources.contains { source in names.contains { source.text.lowercased().contains($0) } }
  }

  /// Returns the first of the calls that the ad made, or that its code makes; nil for none.
  fileprivate func firstCall(of calls: [String]) -> StoreCall? {
    let made = events(.playable, .called, .storeOpened)
    return calls.map(StoreCall.init).first { call in
      made.contains { call.isMade(by: $0.event) } || call.isCalled(in: inventory)
    }
  }
}
