internal import Jobs
internal import MRAID

/// Which logged events are odd, and how to say so.
enum EventOddity {
  static func of(_ event: Event) -> (Oddity.Code, String)? {
    let detail = event.detail
    switch (event.source, event.name) {
    case (.mraid, "ignored"):
      return (.callIgnored, "\(text(detail["command"])) was ignored: \(text(detail["reason"]))")
    case (.mraid, "premature"): return (.callPremature, "\(text(detail["command"])) was called before ready")
    case (.mraid, "error"):
      let arguments = detail["arguments"]
      return (.errorEvent, "\(text(arguments?[1])): \(text(arguments?[0]))")
    case (.page, "exception"): return (.exception, text(detail["message"]))
    case (.page, "rejection"): return (.rejection, text(detail["message"]))
    case (.page, "navigation") where detail["allowed"] == false, (.page, "popup"):
      let isTapped = detail["gesture"] == true
      return (isTapped ? .clickWithoutOpen : .unaskedNavigation, "\(event.name) to \(text(detail["url"]))")
    case (.creative, "open") where detail["gesture"] == false:
      return (.openWithoutGesture, "open(\(text(detail["arguments"]?[0])))")
    default: return nil
    }
  }

  private static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: "–"
    case .string(let text)?: text
    case let other?: other.text
    }
  }
}
