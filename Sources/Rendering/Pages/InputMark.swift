/// What the host's own script in a frame posts of a person's input, and of the frames in which the page does what follows.
///
/// The host can't ask for those frames: a script of its own would make the engine forget that a person touched the page.
enum InputMark: String {
  case comes = "input-comes"
  case isOver = "input-is-over"

  /// Runs in the host's world from each document's start.
  static let script = """
    (() => {
      const post = (mark) => webkit.messageHandlers.galley.postMessage(`host ${mark}`);
      const frame = (then) => requestAnimationFrame(() => setTimeout(then));
      const hear = (event) => {
        // What the page sends itself is no input.
        if (!event.isTrusted) return;
        post("\(comes.rawValue)");
        frame(() => frame(() => post("\(isOver.rawValue)")));
      };
      for (const name of ["touchend", "mouseup", "click", "keyup"])
        addEventListener(name, hear, { capture: true, passive: true });
    })();
    """
}
