/// Message of the host's own script in a page about its load, in order with the page's other messages.
package enum LoadMessage: String, Sendable {
  case tasks = "load-tasks"
  case frame = "load-frame"

  /// Script in the host's world from each document's start.
  ///
  /// A late frame isn't waited for; otherwise the page's own timers would count as its load only on a busy machine.
  package static let script = """
    (() => {
      const after = (time, then) => setTimeout(then, time);
      const post = (mark) => webkit.messageHandlers.galley.postMessage(`host ${mark}`);
      const isHidden = Object.getOwnPropertyDescriptor(Document.prototype, "hidden").get;
      const draw = (then) => {
        let isOver = false;
        const end = () => { if (!isOver) { isOver = true; then(); } };
        if (isHidden.call(document)) return end();
        requestAnimationFrame(end);
        after(50, end);
      };
      addEventListener("load", () => {
        // The page's listeners may come after this one, and queue tasks after this one's.
        after(0, () => after(0, () => {
          post("\(tasks.rawValue)");
          draw(() => after(0, () => post("\(frame.rawValue)")));
        }));
      });
    })();
    """
}

/// Message of a document about its painting, in virtual time.
package enum PaintMessage: String, Sendable {
  /// First content that users see: text, an image, a drawing.
  case first = "painted"

  /// Script in the host's world from the main document's start.
  package static let script = """
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      observer.disconnect();
      webkit.messageHandlers.galley.postMessage("host \(first.rawValue)");
    }).observe({ type: "paint", buffered: true });
    """
}
