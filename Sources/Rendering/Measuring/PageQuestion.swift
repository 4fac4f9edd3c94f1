internal import Jobs
internal import WebKitRuntime

/// Asks a page something in a world of its own; a page that doesn't answer is given up. No time passes meanwhile.
@WebKitActor struct PageQuestion {
  let page: AdPage
  let clock: RenderClock
  /// How long, of the machine's time, a page may take.
  private static let patience = Duration.seconds(3)

  /// The answer to a script that ends in `return` and sees `filmsEvent`, or nothing in it; nil when none comes.
  func ask<Answer: Decodable & Sendable>(_ script: [UInt8], for type: Answer.Type = Answer.self) async -> Answer? {
    let text = await clock.hold { await reply(to: script) }
    return text.flatMap { PageAnswer.decode(from: $0) }
  }

  private func reply(to script: [UInt8]) async -> String? {
    let (view, event) = (page.view, page.filmsEvent ?? "")
    let text = String(decoding: script, as: UTF8.self)
    let question = Task { @WebKitActor in try await view.call(text, ["filmsEvent": event]) }
    let patience = Task {
      try await Task.sleep(for: Self.patience)
      question.cancel()
    }
    defer { patience.cancel() }
    return await withTaskCancellationHandler {
      try? await question.value
    } onCancel: {
      question.cancel()
    }
  }
}
