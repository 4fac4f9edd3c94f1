internal import AdExperience
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
      const right = () => innerWidth === Number(width) && innerHeight === Number(height);
      if (right()) return;
      await new Promise((done) => {
        addEventListener("resize", () => { if (right()) done(); });
        setTimeout(done, 1000);
      });
      """
    _ = try? await view.call(script, ["width": String(view.width), "height": String(view.height)])
  }
}
