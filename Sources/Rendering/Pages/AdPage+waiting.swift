internal import Hosting
internal import WebKitRuntime

extension AdPage {
  /// Waits for two frames, a quarter of a second at most.
  func drawsTwoFrames(_ clock: RenderClock) async {
    guard !clock.isVirtual else {
      for _ in 0..<2 {
        try? await clock.nextFrame(of: view)
      }
      return
    }
    let script = """
      const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      await Promise.race([frame().then(frame), new Promise((done) => setTimeout(done, 250))]);
      """
    _ = try? await view.call(script)
  }

  /// Waits until the page is laid out at the view's size, a second at most.
  func laidOut(_ clock: RenderClock) async {
    let script = """
      // Where the page is drawn larger or smaller than it is laid out, how sides are rounded is the engine's affair.
      const slack = Number(zoom) === 1 ? 0 : 1;
      const isAbout = (side, length) => Math.abs(side - Number(length) / Number(zoom)) <= slack;
      const right = () => isAbout(innerWidth, width) && isAbout(innerHeight, height);
      if (right()) return;
      await new Promise((done) => {
        addEventListener("resize", () => { if (right()) done(); });
        setTimeout(done, 1000);
      });
      """
    let arguments = ["width": "\(view.width)", "height": "\(view.height)", "zoom": "\(view.zoom)"]
    _ = try? await view.call(script, arguments)
  }
}

extension AdPage {
  /// Counts input to a frame of the page, or its end after the frames that follow.
  func receive(_ mark: InputMessage) {
    switch mark {
    case .comes: freshInput += 1
    case .isOver: freshInput = max(0, freshInput - 1)
    }
  }

  /// Waits until the page has handled earlier input, and for two frames in which it reacts.
  ///
  /// No script runs meanwhile: it would make the engine forget the user activation of the page.
  func inputIsHandled(_ clock: RenderClock, _ recorder: Recorder) async {
    // In stepped time the click is made by the host once the page has had the touch.
    guard !clock.isVirtual else { return await drawsTwoFrames(clock) }
    // A touch comes back unwanted before the engine sends what a mouse would have done, each thing when the page is done
    // with the one before: moved there, button down, button up, and with that the click.
    for _ in 0..<5 {
      guard (try? await view.scripts.flushInput()) != nil else { return }
    }
    _ = await recorder.wait(.milliseconds(250)) { self.freshInput == 0 }
  }
}

/// Message of the host's own script in a frame about a user's input, and about the frames in which the page reacts.
///
/// The host can't ask for those frames: a script of its own would make the engine forget the user activation of the
/// page.
enum InputMessage: String {
  case comes = "input-comes"
  case isOver = "input-is-over"

  /// Script in the host's world from each document's start.
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
