internal import Engine
internal import WebKitRuntime

/// Search for parts of a page that have depth or filter their backdrop, which only a compositor draws.
@EngineActor enum DepthProbe {
  /// Thrown if a page can't be drawn correctly without a compositor.
  struct CompositorNeeded: Error {}

  /// Indicates if any box, in frames and open shadow trees too, is transformed in 3D or filters its backdrop.
  ///
  /// A 3D transform that leaves the box in its plane, such as `scale3d()`, doesn't count: it is drawn the same without a
  /// compositor.
  static func finds(in view: WebView) async throws -> Bool { try await search(view, "isDeep") }

  /// Indicates if a 3D scene, which a compositor draws, has more layers in one plane than the engine keeps in order.
  static func findsCrowd(in view: WebView) async throws -> Bool { try await search(view, "isCrowded") }

  private static func search(_ view: WebView, _ name: String) async throws -> Bool {
    try await view.call(script + "return search(document, \(name));") == "true"
  }

  /// Maximum number of elements that are checked.
  private static let most = 20_000
  /// Maximum number of layers in one plane that the engine keeps in order: it sorts more with an algorithm that isn't
  /// stable.
  private static let mostSorted = 16

  private static let script = """
    let left = \(most);
    const matrix = (style) => style.transform.startsWith("matrix3d(")
      ? style.transform.slice(9, -1).split(",").map(Number) : null;
    const isZero = (value) => Math.abs(value) < 1e-6;
    // Points of the plane stay in it, at the same distance, and are seen from the front.
    const isFlat = (m) => [2, 3, 6, 7, 14].every((at) => isZero(m[at])) && isZero(m[15] - 1) && m[10] >= 0;
    const hasDepth = (style) => {
      const m = matrix(style);
      return m && !isFlat(m) || (style.backdropFilter || style.webkitBackdropFilter || "none") !== "none";
    };
    const isDeep = (element) => ["", "::before", "::after"].some((part) => hasDepth(getComputedStyle(element, part)))
      && element.getClientRects().length > 0;
    const isCrowded = (element) => {
      const children = Object.getOwnPropertyDescriptor(Element.prototype, "children").get.call(element);
      if (children.length <= \(mostSorted) || getComputedStyle(element).transformStyle !== "preserve-3d") return false;
      const all = [...children].map((child) => matrix(getComputedStyle(child))).filter(Boolean);
      // With a tilted box among them the engine compares planes instead.
      return all.some((m) => !isZero(m[10] - 1)) && all.every((m) => isZero(m[2]) && isZero(m[6]));
    };
    const below = (element) => {
      try { return element.shadowRoot ?? element.contentDocument; } catch { return null; }
    };
    // A name on the page may stand in the way of the document's own members.
    const all = (root) => (root instanceof ShadowRoot ? ShadowRoot : Document).prototype.querySelectorAll.call(root, "*");
    const search = (root, sees) => [...all(root)].some((element) => {
      left -= 1;
      if (left < 0) return false;
      const inner = below(element);
      return sees(element) || inner && search(inner, sees);
    });

    """
}
