internal import WebKitRuntime

/// Whether something on a page has depth, or is seen through: what only a compositor draws.
@WebKitActor enum DepthProbe {
  /// The page can't be pictured as it is.
  struct CompositorNeeded: Error {}

  /// True when any box, in frames and open shadow trees too, is turned in space or filters what lies behind it.
  static func finds(in view: WebView) async throws -> Bool { try await view.call(script) == "true" }

  /// The most elements looked at.
  private static let most = 20_000

  private static let script = """
    let left = \(most);
    const isDeep = (style) => style.transform.startsWith("matrix3d")
      || (style.backdropFilter || style.webkitBackdropFilter || "none") !== "none";
    const sees = (element) => ["", "::before", "::after"].some((part) => isDeep(getComputedStyle(element, part)))
      && element.getClientRects().length > 0;
    const below = (element) => {
      try { return element.shadowRoot ?? element.contentDocument; } catch { return null; }
    };
    // A name on the page may stand in the way of the document's own members.
    const all = (root) => (root instanceof ShadowRoot ? ShadowRoot : Document).prototype.querySelectorAll.call(root, "*");
    const search = (root) => [...all(root)].some((element) => {
      left -= 1;
      if (left < 0) return false;
      const inner = below(element);
      return sees(element) || inner && search(inner);
    });
    return search(document);
    """
}
