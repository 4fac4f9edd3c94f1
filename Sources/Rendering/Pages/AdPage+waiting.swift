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
