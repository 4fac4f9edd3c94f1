internal import Engine
internal import WebKitRuntime

/// Search for parts of a page that have depth or filter their backdrop, which only a compositor draws.
@EngineActor enum DepthProbe {
  /// Thrown if a page can't be drawn correctly without a compositor.
  struct CompositorNeeded: Error {}

  /// Indicates if any box, in frames and open shadow trees too, is transformed in 3D or filters its backdrop.
  static func finds(in view: WebView) async throws -> Bool { try await view.call(script) == "true" }

  /// Maximum number of elements that are checked.
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
