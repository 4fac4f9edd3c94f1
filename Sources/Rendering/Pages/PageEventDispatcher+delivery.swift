internal import Engine
internal import Hosting
internal import WebKitRuntime

extension PageEventDispatcher {
  /// Delivers a script to a page in its turn.
  ///
  /// One task handles all that waits: a task woken by another takes the way through a different thread, which a virtual
  /// clock doesn't see.
  func hand(_ delivery: PageDelivery, to page: AdPage) {
    guard let first = begin(delivery, to: page.number) else { return }
    Task { @EngineActor [weak page, view = page.view, number = page.number] in
      var next: PageDelivery? = first
      while let delivery = next {
        // The page may be gone or its web process dead; both are told elsewhere.
        _ = try? await view.call(delivery.script, delivery.arguments)
        next = end(by: number)
        page?.isAnswering = false
        delivery.done()
      }
    }
  }
}
