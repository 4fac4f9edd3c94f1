internal import CWebKitGTK
internal import Core
package import Engine
internal import Synchronization

/// Calls of the host into a view's page by script, until each has its answer.
@EngineActor package final class ScriptCalls {
  /// JavaScript world in which a script runs.
  package enum World: Sendable {
    /// The page's own world, whose objects the page may have changed.
    case page
    /// A world with the page's DOM and untouched built-ins, none of which the page can see.
    case host
  }

  private let pointer: UnsafeMutablePointer<WebKitWebView>
  private let activity: PageActivity
  /// Calls that haven't ended.
  private var calls: Set<ScriptCall> = []

  init(_ pointer: UnsafeMutablePointer<WebKitWebView>, _ activity: PageActivity) {
    (self.pointer, self.activity) = (pointer, activity)
  }

  /// Runs a script and returns its result, as described at `WebView.call`.
  func call(_ body: String, _ arguments: [String: String], _ world: World) async throws(ScriptError) -> String {
    try await ask { call in start(world == .host ? Self.withoutGesture + body : body, arguments, world, call) }
  }

  /// Returns once the page has handled everything that was sent to it before; throws as `call` does.
  ///
  /// It runs no script, as that would make the engine forget the page's user activation.
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
      await EngineActor.wait { wakeup in
        if call.wait(wakeup) { start(call) }
      }
    } onCancel: {
      call.end(.failure(ScriptError(description: "the call was cancelled")))
    }
    return try outcome.get()
  }

  /// Script that precedes each body in the host's world and ends the user gesture which the engine assumes for the
  /// host's calls.
  ///
  /// Timers would keep that gesture alive for the page's own scripts. The task that sends an element's `toggle` event
  /// doesn't, and unlike a message's it involves no other process.
  ///
  /// It calls the prototype's method, as the page may have named an element like a member of the document; and it names
  /// the namespace, as the document may not be HTML.
  private nonisolated static let withoutGesture = """
    await new Promise((done) => {
      const details = Document.prototype.createElementNS.call(document, "http://www.w3.org/1999/xhtml", "details");
      details.addEventListener("toggle", done, { once: true });
      details.open = true;
    });

    """

  /// Time for which the page has owed its oldest answer; nil if it owes none.
  package var pendingCallDuration: Duration? { calls.map(\.began).min().map { ContinuousClock.now - $0 } }

  /// Ends calls into a document that is gone, as the engine reports their end only when it collects garbage.
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
    let domain = webkit_javascript_error_quark()
    let isThrown = g_error_matches(error, domain, Int32(WEBKIT_JAVASCRIPT_ERROR_SCRIPT_FAILED.rawValue)) != 0
    g_clear_error(&error)
    return call.end(.failure(ScriptError(description: message, isThrown: isThrown)))
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

/// Passes `body` the strings as an array of C strings, valid during the call.
private func withCStringArray<T>(_ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> T) -> T {
  let copies = strings.map { g_strdup($0) }
  defer { for copy in copies { g_free(copy) } }
  return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer(body)
}

/// Script call whose caller waits; it ends once, by the engine's answer or by the first to give it up.
private final class ScriptCall: Sendable {
  typealias Outcome = Result<String, ScriptError>
  typealias Waiter = Wakeup<Outcome>

  private enum State {
    case new
    case waiting(Waiter)
    case ended(Outcome)
  }

  private let state = Mutex(State.new)
  /// Time at which the call was made.
  let began = ContinuousClock.now

  /// Stores the waiter that the end of the call resumes; if the call has ended already, resumes it at once and returns
  /// false.
  func wait(_ waiter: Waiter) -> Bool {
    let early: Outcome? = state.withLock { state in
      if case .ended(let outcome) = state { return outcome }
      state = .waiting(waiter)
      return nil
    }
    if let early { waiter.resume(returning: early) }
    return early == nil
  }

  /// Ends the call, unless it has ended before.
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
