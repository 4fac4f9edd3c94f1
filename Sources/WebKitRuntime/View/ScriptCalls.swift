internal import Core
internal import CWebKitGTK
internal import Synchronization

/// Script that couldn't be run, or threw.
package struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// The document that was asked is gone.
  package static let wentElsewhere = ScriptError(description: "the page went elsewhere")
}

/// What the host asks of a view's page by script, until each call has its answer.
@WebKitActor package final class ScriptCalls {
  /// Where script runs.
  package enum World: Sendable {
    /// With the page's own objects, which the page may have changed.
    case page
    /// On the page's DOM with untouched built-ins; the page sees nothing of it.
    case host
  }

  private let pointer: UnsafeMutablePointer<WebKitWebView>
  private let activity: PageActivity
  /// Calls that wait for their end.
  private var calls: Set<ScriptCall> = []

  init(_ pointer: UnsafeMutablePointer<WebKitWebView>, _ activity: PageActivity) {
    (self.pointer, self.activity) = (pointer, activity)
  }

  /// As `WebView.call` says.
  func call(_ body: String, _ arguments: [String: String], _ world: World) async throws(ScriptError) -> String {
    try await ask { call in start(world == .host ? Self.withoutGesture + body : body, arguments, world, call) }
  }

  /// Returns once the page has handled whatever was sent to it before, without running a script: that would make the
  /// engine forget that a person touched the page. Throws as `call` does.
  package func flushInput() async throws(ScriptError) {
    _ = try await ask { call in
      // Whether it could do what it doesn't know; editing commands that it knows may tell the page.
      webkit_web_view_can_execute_editing_command(
        pointer, "Galley", nil, { onAnswer($0, $1, $2) }, Unmanaged.passRetained(call).toOpaque())
    }
  }

  private func ask(_ start: (ScriptCall) -> Void) async throws(ScriptError) -> String {
    let call = ScriptCall()
    calls.insert(call)
    activity.rise()
    defer {
      calls.remove(call)
      activity.rise()
    }
    let outcome = await withTaskCancellationHandler {
      await WebKitActor.wait { wakeup in
        if call.wait(wakeup) { start(call) }
      }
    } onCancel: {
      call.end(.failure(ScriptError(description: "the call was cancelled")))
    }
    return try outcome.get()
  }

  /// Goes before a body, as it does in the host's world by itself: the engine counts what the host calls as a gesture, and
  /// timers keep it alive for the page's own scripts. The task that tells an element of its opening doesn't, and unlike a
  /// message's it goes by no other process.
  ///
  /// The page may have named an element like a member of the document, and the document may be no HTML.
  private nonisolated static let withoutGesture = """
    await new Promise((done) => {
      const details = Document.prototype.createElementNS.call(document, "http://www.w3.org/1999/xhtml", "details");
      details.addEventListener("toggle", done, { once: true });
      details.open = true;
    });

    """

  /// For how long the page has owed an answer; nil when it owes none.
  package var pendingCallDuration: Duration? { calls.map(\.began).min().map { ContinuousClock.now - $0 } }

  /// Ends calls into a document that is gone; the engine only tells them once it collects garbage.
  func endAll() {
    for call in calls { call.end(.failure(.wentElsewhere)) }
  }

  private func start(_ body: String, _ arguments: [String: String], _ world: World, _ call: ScriptCall) {
    let names = arguments.keys.sorted()
    let variant = withCStringArray(names) { names in
      withCStringArray(arguments.sorted { $0.key < $1.key }.map(\.value)) { values in
        galley_arguments(names.baseAddress, values.baseAddress, Int32(arguments.count))
      }
    }
    let box = Unmanaged.passRetained(call).toOpaque()
    webkit_web_view_call_async_javascript_function(
      pointer, body, -1, variant, world == .host ? WebView.hostWorld : nil, "galley:host", nil,
      { onScriptDone($0, $1, $2) }, box)
  }
}

private func onScriptDone(_ view: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let view, let data else { return }
  let call = Unmanaged<ScriptCall>.fromOpaque(data).takeRetainedValue()
  var error: UnsafeMutablePointer<GError>?
  let value = view.withMemoryRebound(to: WebKitWebView.self, capacity: 1) {
    webkit_web_view_call_async_javascript_function_finish($0, result, &error)
  }
  guard let value else {
    let message = error.map { String(cString: $0.pointee.message) } ?? "script failed"
    g_clear_error(&error)
    return call.end(.failure(ScriptError(description: message)))
  }
  let json = jsc_value_to_json(value, 0)
  let text = json.map { String(cString: $0) } ?? "null"
  g_free(json)
  g_object_unref(UnsafeMutableRawPointer(value))
  call.end(.success(text))
}

private func onAnswer(_ view: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let view, let data else { return }
  _ = view.withMemoryRebound(to: WebKitWebView.self, capacity: 1) {
    webkit_web_view_can_execute_editing_command_finish($0, result, nil)
  }
  Unmanaged<ScriptCall>.fromOpaque(data).takeRetainedValue().end(.success("null"))
}

/// Lends strings as an array of C strings.
private func withCStringArray<T>(_ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> T) -> T {
  let copies = strings.map { g_strdup($0) }
  defer { for copy in copies { g_free(copy) } }
  return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer(body)
}

/// A script call that someone waits for; it ends once, by the engine or by whoever gives it up first.
private final class ScriptCall: Sendable {
  typealias Outcome = Result<String, ScriptError>
  typealias Waiter = Wakeup<Outcome>

  private enum State {
    case new
    case waiting(Waiter)
    case ended(Outcome)
  }

  private let state = Mutex(State.new)
  /// When it was made.
  let began = ContinuousClock.now

  /// Resumes `waiter` at the call's end; false when that was before it began.
  func wait(_ waiter: Waiter) -> Bool {
    let early: Outcome? = state.withLock { state in
      if case .ended(let outcome) = state { return outcome }
      state = .waiting(waiter)
      return nil
    }
    if let early { waiter.resume(returning: early) }
    return early == nil
  }

  /// Ends the call; nothing happens when it has ended.
  func end(_ outcome: Outcome) {
    let waiter: Waiter? = state.withLock { state in
      let before = state
      if case .ended = before { return nil }
      state = .ended(outcome)
      if case .waiting(let waiter) = before { return waiter }
      return nil
    }
    waiter?.resume(returning: outcome)
  }
}

extension ScriptCall: Hashable {
  static func == (one: ScriptCall, other: ScriptCall) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
