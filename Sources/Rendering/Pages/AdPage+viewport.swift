internal import Core
internal import Creatives
internal import Device
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

extension AdPage {
  /// Resizes the page's view, in dip.
  func resize(width: Double, height: Double) {
    view.zoom = zoom(width, height)
    view.resize(width: width, height: height)
  }

  private func zoom(_ width: Double, _ height: Double) -> Double {
    let scale = viewport.scale(in: Size(width: width, height: height))
    // The engine cuts to whole pixels, in single precision: what is meant to be 320 mustn't come out as 319.
    let (whole, factor): (Float, Float) = (.init(width), .init(scale))
    let side = whole / factor
    return side.rounded() > side ? scale * (1 - 1e-6) : scale
  }

  /// Lays the page out for its document's viewport.
  func lay(out viewport: Viewport) {
    guard viewport != self.viewport else { return }
    self.viewport = viewport
    view.zoom = zoom(Double(view.width), Double(view.height))
  }
}

extension Rect {
  /// Copy with all lengths multiplied by a factor.
  func scaled(by factor: Double) -> Rect {
    factor == 1 ? self : Rect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}

/// Message of the host's own script about a document's viewport meta elements.
struct ViewportMessage {
  let viewport: Viewport

  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    viewport = Viewport(content: String(text.dropFirst(Self.prefix.count)))
  }

  private static let prefix = "viewport "

  /// Script in the host's world from the main document's start; the last element that was added or changed counts.
  static let script = """
    (() => {
      const post = (content) => webkit.messageHandlers.galley.postMessage("host \(prefix)" + content.slice(0, 1000));
      const attribute = (element, name) => Element.prototype.getAttribute.call(element, name) ?? "";
      const said = (element) => {
        if (element.localName === "meta" && attribute(element, "name").trim().toLowerCase() === "viewport") {
          return attribute(element, "content");
        }
        const inner = element.firstElementChild ? Element.prototype.querySelectorAll.call(element, "meta") : [];
        return [...inner].map(said).filter((content) => content !== undefined).pop();
      };
      new MutationObserver((records) => {
        let content;
        for (const { type, target, addedNodes } of records) {
          for (const node of type === "attributes" ? [target] : addedNodes) {
            if (node.nodeType === Node.ELEMENT_NODE) content = said(node) ?? content;
          }
        }
        if (content !== undefined) post(content);
      }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["name", "content"] });
    })();
    """
}

extension AdContext {
  /// Indicates if the page's viewport meta elements count: a phone reads them, a desktop and some SDKs' views don't.
  func readsViewport(of page: AdPage) -> Bool {
    page.part != nil && render.job.device.touch && render.job.container?.behaviour.readsViewport != false
  }

  /// Lays the page out for the document that it goes to, if its text is known; a web server's isn't known yet.
  func prepareViewport(of page: AdPage, at url: String) {
    guard readsViewport(of: page) else { return }
    page.lay(out: viewport(ofDocumentAt: url) ?? Viewport())
  }

  private func viewport(ofDocumentAt url: String) -> Viewport? {
    guard addresses.isOwn(url),
      let document = try? bundle.resource(path: String(url.dropFirst(addresses.origin.count)))
    else { return nil }
    return document.viewport.map { Viewport(content: $0) }
  }
}
