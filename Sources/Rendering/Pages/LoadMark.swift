/// How far a document's load is, as to what counts as done by it.
enum LoadPhase {
  /// Everything does.
  case loading
  /// The tasks of its load event are done: only errors do, which it may throw in its first frame.
  case drawing
  /// Nothing does.
  case settled
}

/// What the host's own script in a page posts on the way, so that it stands among the page's messages in order.
enum LoadMark: String {
  case tasks = "load-tasks"
  case frame = "load-frame"

  /// Runs in the host's world from each document's start.
  ///
  /// A frame that is late isn't waited for, lest the page's own timers count as its load on a busy machine only.
  static let script = """
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
