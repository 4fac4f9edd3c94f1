internal import CWebKitGTK
internal import Engine

extension WebView {
  func connectSignals() {
    let target = SignalTarget(self)
    let handlers: [(String, GCallback)] = [
      ("load-changed", unsafeBitCast(onLoadChanged, to: GCallback.self)),
      ("load-failed", unsafeBitCast(onLoadFailed, to: GCallback.self)),
      ("load-failed-with-tls-errors", unsafeBitCast(onTLSFailed, to: GCallback.self)),
      ("decide-policy", unsafeBitCast(onDecidePolicy, to: GCallback.self)),
      ("create", unsafeBitCast(onCreate, to: GCallback.self)),
      ("close", unsafeBitCast(onClose, to: GCallback.self)),
      ("script-dialog", unsafeBitCast(onScriptDialog, to: GCallback.self)),
      ("permission-request", unsafeBitCast(onPermission, to: GCallback.self)),
      ("resource-load-started", unsafeBitCast(onResourceStarted, to: GCallback.self)),
      ("web-process-terminated", unsafeBitCast(onProcessTerminated, to: GCallback.self)),
      ("run-file-chooser", unsafeBitCast(onFileChooser, to: GCallback.self)),
      ("print", unsafeBitCast(onPrint, to: GCallback.self)),
      ("context-menu", unsafeBitCast(onContextMenu, to: GCallback.self)),
      ("show-option-menu", unsafeBitCast(onShowOptions, to: GCallback.self)),
      ("authenticate", unsafeBitCast(onAuthenticate, to: GCallback.self)),
      ("show-notification", unsafeBitCast(onNotification, to: GCallback.self)),
    ]
    for (signal, callback) in handlers { connect(pointer, signal, target, callback) }
  }

  func emit(_ event: WebViewEvent) {
    changes.rise()
    onEvent?(event)
  }

  fileprivate func decide(_ decision: UnsafeMutablePointer<WebKitPolicyDecision>, kind: WebKitPolicyDecisionType)
    -> Bool
  {
    guard let action = galley_navigation_action(decision) else {
      guard let response = galley_response_decision(decision) else { return false }
      return refuseUnshowable(response, decision)
    }
    let request = NavigationRequest(action: action)
    if kind == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION {
      emit(.popup(request))
      webkit_policy_decision_ignore(decision)
      return true
    }
    let allowed = decideNavigation?(request) ?? true
    emit(.navigation(request, allowed: allowed))
    if allowed { webkit_policy_decision_use(decision) } else { webkit_policy_decision_ignore(decision) }
    return true
  }

  /// Refuses a main document that the engine can't show and reports it as a download, which it would become.
  private func refuseUnshowable(
    _ response: UnsafeMutablePointer<WebKitResponsePolicyDecision>,
    _ decision: UnsafeMutablePointer<WebKitPolicyDecision>
  ) -> Bool {
    guard webkit_response_policy_decision_is_mime_type_supported(response) == 0 else { return false }
    let url = webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response)).map {
      String(cString: $0)
    }
    emit(.download(url: url ?? ""))
    webkit_policy_decision_ignore(decision)
    return true
  }

  fileprivate func answer(_ dialog: OpaquePointer) {
    let message = webkit_script_dialog_get_message(dialog).map { String(cString: $0) } ?? ""
    let kind: String
    switch webkit_script_dialog_get_dialog_type(dialog) {
    case WEBKIT_SCRIPT_DIALOG_ALERT: kind = "alert"
    case WEBKIT_SCRIPT_DIALOG_CONFIRM:
      kind = "confirm"
      webkit_script_dialog_confirm_set_confirmed(dialog, 1)
    case WEBKIT_SCRIPT_DIALOG_PROMPT:
      kind = "prompt"
      webkit_script_dialog_prompt_set_text(dialog, webkit_script_dialog_prompt_get_default_text(dialog))
    default:
      kind = "beforeunload"
      webkit_script_dialog_confirm_set_confirmed(dialog, 1)
    }
    emit(.dialog(kind: kind, message: message))
  }

  fileprivate func processEnded(_ reason: WebKitWebProcessTerminationReason) {
    let end: ProcessEnd =
      switch reason {
      case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: .memoryLimit
      case WEBKIT_WEB_PROCESS_TERMINATED_BY_API: .terminatedByHost
      default: endsByHost ? .terminatedByHost : .crashed
      }
    emit(.processEnded(end))
  }
}

extension NavigationRequest {
  fileprivate init(action: OpaquePointer) {
    let kind: Kind =
      switch webkit_navigation_action_get_navigation_type(action) {
      case WEBKIT_NAVIGATION_TYPE_LINK_CLICKED: .link
      case WEBKIT_NAVIGATION_TYPE_FORM_SUBMITTED: .form
      case WEBKIT_NAVIGATION_TYPE_BACK_FORWARD: .backForward
      case WEBKIT_NAVIGATION_TYPE_RELOAD: .reload
      case WEBKIT_NAVIGATION_TYPE_FORM_RESUBMITTED: .formResubmitted
      default: .other
      }
    let url = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)).map { String(cString: $0) }
    self.init(
      url: CreativeScheme.meant(url ?? ""), kind: kind, gesture: webkit_navigation_action_is_user_gesture(action) != 0,
      isRedirect: webkit_navigation_action_is_redirect(action) != 0)
  }
}

/// Runs `body` with the view behind a handler's user data; does nothing if the view is gone.
private func withView(_ data: gpointer?, _ body: @EngineActor (WebView) -> Void) {
  guard let data else { return }
  let address = UInt(bitPattern: data)
  EngineActor.assumeIsolated {
    if let view = SignalTarget<WebView>.object(at: address) { body(view) }
  }
}

/// C pointer passed into an isolated closure, which runs at once on the same thread.
private struct UncheckedPointer<Pointer>: @unchecked Sendable {
  let pointer: Pointer
}

private let onLoadChanged: @convention(c) (gpointer?, WebKitLoadEvent, gpointer?) -> Void = { _, event, data in
  withView(data) { view in
    switch event {
    case WEBKIT_LOAD_STARTED: view.emit(.loadStarted(url: view.url))
    case WEBKIT_LOAD_COMMITTED:
      view.scripts.endAll()
      view.emit(.loadCommitted(url: view.url))
    case WEBKIT_LOAD_FINISHED: view.emit(.loadFinished)
    default: break
    }
  }
}

private let onLoadFailed:
  @convention(c) (gpointer?, WebKitLoadEvent, UnsafePointer<CChar>?, UnsafePointer<GError>?, gpointer?) -> gboolean = {
    _, _, url, error, data in
    let url = url.map { String(cString: $0) } ?? ""
    let message = error.map { String(cString: $0.pointee.message) } ?? "load failed"
    let interrupted = error.map { galley_is_interruption($0) != 0 } ?? false
    withView(data) { $0.emit(.loadFailed(url: url, message: message, interrupted: interrupted)) }
    return 1
  }

private let onTLSFailed: @convention(c) (gpointer?, UnsafePointer<CChar>?, gpointer?, UInt32, gpointer?) -> gboolean = {
  _, url, _, flags, data in
  let url = url.map { String(cString: $0) } ?? ""
  withView(data) {
    $0.emit(
      .loadFailed(url: url, message: "the server's certificate isn't trusted (flags \(flags))", interrupted: false))
  }
  return 1
}

private let onDecidePolicy:
  @convention(c) (gpointer?, UnsafeMutablePointer<WebKitPolicyDecision>?, WebKitPolicyDecisionType, gpointer?) ->
    gboolean = {
      _, decision, kind, data in
      guard let data, let decision else { return 0 }
      let (address, passed) = (UInt(bitPattern: data), UncheckedPointer(pointer: decision))
      return EngineActor.assumeIsolated {
        SignalTarget<WebView>.object(at: address)?.decide(passed.pointer, kind: kind) == true ? 1 : 0
      }
    }

private let onCreate: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> gpointer? = { _, action, data in
  guard let action else { return nil }
  let passed = UncheckedPointer(pointer: action)
  withView(data) { $0.emit(.popup(NavigationRequest(action: passed.pointer))) }
  return nil
}

private let onClose: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
  withView(data) { $0.emit(.closeRequested) }
}

private let onScriptDialog: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> gboolean = { _, dialog, data in
  guard let dialog else { return 1 }
  let passed = UncheckedPointer(pointer: dialog)
  withView(data) { $0.answer(passed.pointer) }
  return 1
}

private let onPermission: @convention(c) (gpointer?, gpointer?, gpointer?) -> gboolean = { _, request, data in
  guard let request else { return 1 }
  let kind = String(cString: galley_type_name(request))
  webkit_permission_request_deny(OpaquePointer(request))
  withView(data) { $0.emit(.permission(kind: kind)) }
  return 1
}

private let onResourceStarted:
  @convention(c) (
    gpointer?, UnsafeMutablePointer<WebKitWebResource>?, UnsafeMutablePointer<WebKitURIRequest>?, gpointer?
  ) -> Void = {
    _, resource, request, data in
    guard let resource, let request else { return }
    let passed = (UncheckedPointer(pointer: resource), UncheckedPointer(pointer: request))
    withView(data) { $0.resources.started(passed.0.pointer, passed.1.pointer) }
  }

private let onProcessTerminated: @convention(c) (gpointer?, WebKitWebProcessTerminationReason, gpointer?) -> Void = {
  _, reason, data in
  withView(data) { $0.processEnded(reason) }
}

private let onFileChooser:
  @convention(c) (gpointer?, UnsafeMutablePointer<WebKitFileChooserRequest>?, gpointer?) -> gboolean = {
    _, request, data in
    webkit_file_chooser_request_cancel(request)
    withView(data) { $0.emit(.fileChooser) }
    return 1
  }

private let onPrint: @convention(c) (gpointer?, gpointer?, gpointer?) -> gboolean = { _, _, data in
  withView(data) { $0.emit(.print) }
  return 1
}

private let onContextMenu: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = {
  _, _, _, _, _ in 1
}

private let onShowOptions:
  @convention(c) (gpointer?, UnsafeMutablePointer<WebKitOptionMenu>?, gpointer?, gpointer?, gpointer?) -> gboolean = {
    _, menu, _, _, data in
    guard let menu else { return 0 }
    let passed = UncheckedPointer(pointer: menu)
    withView(data) { $0.input.show(passed.pointer) }
    return 1
  }

private let onAuthenticate:
  @convention(c) (gpointer?, UnsafeMutablePointer<WebKitAuthenticationRequest>?, gpointer?) -> gboolean = {
    _, request, data in
    let host = webkit_authentication_request_get_host(request).map { String(cString: $0) } ?? ""
    webkit_authentication_request_cancel(request)
    withView(data) { $0.emit(.authentication(host: host)) }
    return 1
  }

private let onNotification: @convention(c) (gpointer?, gpointer?, gpointer?) -> gboolean = { _, _, data in
  withView(data) { $0.emit(.permission(kind: "Notification")) }
  return 1
}

let onScriptMessage: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = { _, result, data in
  guard let result, let value = webkit_javascript_result_get_js_value(result), jsc_value_is_string(value) != 0,
    let text = jsc_value_to_string(value)
  else { return }
  let message = String(cString: text)
  g_free(text)
  withView(data) { $0.emit(.message(message)) }
}
