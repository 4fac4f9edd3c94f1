internal import WebKitRuntime

extension RenderSession {
  /// A frame of the page had input, or has gone on by the frames that come after.
  func hear(_ mark: InputMark, of page: AdPage) {
    switch mark {
    case .comes: page.freshInput += 1
    case .isOver: page.freshInput = max(0, page.freshInput - 1)
    }
    recorder.wakeWaiters()
  }

  /// Waits until the page has handled input sent before, and for two frames in which it does what follows.
  ///
  /// No script runs meanwhile: it would make the engine forget that a person touched the page.
  func inputIsHandled(by page: AdPage) async {
    // In stepped time the click is made by the host once the page has had the touch.
    guard !clock.isVirtual else { return await page.drawsTwoFrames(clock) }
    // A touch comes back unwanted before the engine sends what a mouse would have done, each thing when the page is done
    // with the one before: moved there, button down, button up, and with that the click.
    for _ in 0..<5 {
      guard (try? await page.view.hasHandledAll()) != nil else { return }
    }
    _ = await recorder.wait(.milliseconds(250)) { page.freshInput == 0 }
  }
}
