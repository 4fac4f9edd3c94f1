extension ResolvedAd {
  /// Reason that nothing of an ad without a video can be shown although it has overlays; nil if it has either to show.
  package var overlayProblem: VASTProblem? { linear == nil ? CompanionChoice.problem(with: nonLinears) : nil }
}

/// Chooses the companion of an ad that becomes its end card.
package enum CompanionChoice {
  /// Image types that the engine shows.
  private static let images: Set<String> = [
    "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/svg+xml", "image/avif", "",
  ]

  /// Returns the companion nearest in size to the place of the end card, and its resource; nil if none can be shown.
  ///
  /// Companions that are meant as an end card come before all others.
  package static func endCard(
    of companions: [VASTCompanion], width: Double, height: Double
  ) -> (companion: VASTCompanion, resource: VASTResource)? {
    let shown = companions.compactMap { companion in
      companion.resources.first(where: isShown).map { (companion: companion, resource: $0) }
    }
    return shown.min { distance($0.companion, width, height) < distance($1.companion, width, height) }
  }

  /// Problem of an ad whose companions all have a form that isn't shown; nil if one can be shown or there are none.
  package static func unsupported(_ companions: [VASTCompanion]) -> VASTProblem? {
    let types = companions.flatMap(\.resources).compactMap { resource -> String? in
      if case .screenshot(_, let type) = resource { type } else { nil }
    }
    guard !companions.isEmpty, !companions.contains(where: { $0.resources.contains(where: isShown) }) else {
      return nil
    }
    let names = Set(types).sorted().prefix(5).joined(separator: ", ")
    return VASTProblem(.companionNotSupported, "none of its companions can be shown: \(names)")
  }

  /// Problem of an ad whose required companions can't all be shown; nil if the requirement is met.
  package static func problem(
    with companions: [VASTCompanion], required: VASTCompanion.Required
  ) -> VASTProblem? {
    let shown = companions.filter { $0.resources.contains(where: isShown) }
    switch required {
    case .none: return nil
    case .any:
      return shown.isEmpty ? VASTProblem(.companionRequired, "none of the required companions can be shown") : nil
    case .all:
      // There is one end card, so of several required companions only one is ever shown.
      guard companions.count > 1 || shown.isEmpty else { return nil }
      return VASTProblem(
        .companionRequired, "all \(companions.count) companions are required, but only one can be shown")
    }
  }

  /// Problem of an ad without a video whose overlays all have a form that isn't shown; nil if one can be shown.
  fileprivate static func problem(with overlays: [VASTNonLinear]) -> VASTProblem? {
    guard !overlays.isEmpty, !overlays.contains(where: { $0.resources.contains(where: isShown) }) else { return nil }
    let isProgram = overlays.allSatisfy { $0.apiFramework?.uppercased().hasPrefix("VPAID") == true }
    return isProgram
      ? VASTProblem(.vpaid, "all its overlays are programs (VPAID), which aren't run")
      : VASTProblem(.nonLinearNotSupported, "none of its overlays can be shown")
  }

  /// Indicates that the engine can show the resource.
  package static func isShown(_ resource: VASTResource) -> Bool {
    if case .screenshot(_, let type) = resource { images.contains(type) } else { true }
  }

  private static func distance(_ companion: VASTCompanion, _ width: Double, _ height: Double) -> Double {
    let meant = companion.renderingMode?.lowercased() == "end-card" ? 0.0 : 1e9
    return meant + abs(companion.width - width) + abs(companion.height - height)
  }
}
