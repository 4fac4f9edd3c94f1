/// Event of a web view, reported to its owner in the order of occurrence.
package enum WebViewEvent: Sendable {
  /// A script of the host's world posted this.
  case message(String)
  /// The main frame began to load this address.
  case loadStarted(url: String)
  case loadCommitted(url: String)
  case loadFinished
  /// The main document failed to load; `interrupted` if the host stopped it.
  case loadFailed(url: String, message: String, interrupted: Bool)
  /// A navigation was decided.
  case navigation(NavigationRequest, allowed: Bool)
  /// The page asked for a new window; it gets none.
  case popup(NavigationRequest)
  /// alert, confirm, prompt or beforeunload; answered at once.
  case dialog(kind: String, message: String)
  /// `window.close()`
  case closeRequested
  case resource(ResourceLoad)
  case permission(kind: String)
  case download(url: String)
  case print
  case fileChooser
  case authentication(host: String)
  case processEnded(ProcessEnd)
}

/// Reason for the end of a web process.
package enum ProcessEnd: String, Sendable {
  case crashed, memoryLimit, terminatedByHost
}

/// Target and cause of a page's navigation.
package struct NavigationRequest: Sendable {
  package enum Kind: String, Sendable {
    case link, form, backForward, reload, formResubmitted, other
  }
  package var url: String
  package var kind: Kind
  /// Indicates if a user's tap or key caused it.
  package var gesture: Bool
  package var isRedirect: Bool

  package init(url: String, kind: Kind, gesture: Bool, isRedirect: Bool) {
    self.url = url
    self.kind = kind
    self.gesture = gesture
    self.isRedirect = isRedirect
  }
}
