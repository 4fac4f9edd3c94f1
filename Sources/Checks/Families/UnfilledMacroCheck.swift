internal import RenderModel

/// Macros that were not filled in.
enum UnfilledMacroCheck {
  static let unfilledMacro = Check(
    "unfilled-macro", family: .robustness, severity: .warning, title: "Unfilled macro",
    why: "Users see the placeholder, or it breaks the tracking or the click that it is part of.",
    remedy: "Check the macro's spelling, and serve the ad through a server that fills it in before the ad is shown.",
    source: .auctionMacros, needs: .touched.union([.code, .document])
  ) { context in
    guard context.hasLoaded else { return nil }
    var known: Set<String> = []
    return MacroSearch(context: context).found.filter { known.insert($0.subject).inserted }
  }
}

/// Searches all data about a creative for macros.
private struct MacroSearch {
  let context: CheckContext

  /// Issues for all macros, ordered by importance to the user.
  var found: [CheckIssue] { inTexts + inRequests + inClicks + inLinks }

  private func placeholders(_ kind: String) -> [(element: DocumentAudit.Element, page: PageAudit)] {
    (context.documents ?? []).flatMap { read in
      read.document.placeholders.filter { $0.kind == kind }.map { ($0, read.page) }
    }
  }

  /// Issues for macros in the text of pages, as measured or as read by the exploration.
  private var inTexts: [CheckIssue] {
    let measured = placeholders("text").flatMap { placed in
      Macro.all(inText: placed.element.text).map { macro in
        var issue = macro.issue("\(placed.element.selector) shows \(macro.text)", in: "text")
        issue.screenshot = placed.page.screenshot
        return issue
      }
    }
    let explored = (context.exploration?.states ?? []).flatMap { state in
      Macro.all(inText: state.text).map { $0.issue("the ad shows \($0.text)", in: "text") }
    }
    return (measured + explored).map {
      var issue = $0
      issue.severity = .error
      return issue
    }
  }

  /// Issues for macros in loaded addresses, which don't include the host's own requests.
  private var inRequests: [CheckIssue] {
    context.requests.flatMap { request -> [CheckIssue] in
      let address = request.resource.redirects.first ?? request.resource.url
      return Macro.all(inAddress: address).map {
        $0.issue(
          "a request contains \($0.text): \(address.withoutQuery)\($0.hint)\(request.way)", in: "request")
      }
    }
  }

  /// Issues for macros in the addresses that taps led to.
  private var inClicks: [CheckIssue] {
    context.waysOut.flatMap { met, address in
      Macro.all(inAddress: address).map {
        var issue = $0.issue("a click leads to an address with \($0.text)\($0.hint)\(met.way)", in: "click")
        issue.event = met.seq
        return issue
      }
    }
  }

  /// Issues for macros in links, in default values of click tags, and in addresses that the code would open.
  private var inLinks: [CheckIssue] {
    let tags = context.passages(/[cC]lick_?[tT][aA][gG]\w*\s*[:=]\s*["'][^"']{1,500}["']/, hint: "lick")
      .flatMap { $0.macros("the click tag has") }
    let opened = context.passages(
      /\b(?:open\s*\(|location(?:\s*\.\s*href)?\s*=)\s*["'][^"']{1,500}["']/, hint: "open", "location"
    ).flatMap { $0.macros("a click would lead to an address with") }
    return tags + opened
      + placeholders("link").flatMap { placed in
        Macro.all(inAddress: placed.element.text).map {
          $0.issue("the link \(placed.element.selector) leads to an address with \($0.text)\($0.hint)", in: "click")
        }
      }
  }
}

extension CheckContext.Passage {
  /// Returns issues for macros in the quoted address at the passage's end.
  fileprivate func macros(_ said: String) -> [CheckIssue] {
    let address = text.drop { $0 != "\"" && $0 != "'" }.dropFirst().dropLast()
    return Macro.all(inAddress: String(address)).map {
      var issue = $0.issue("\(said) \($0.text)\($0.hint)", in: "click")
      issue.place = place
      return issue
    }
  }
}

extension Macro {
  /// Text for messages, as `, which Google Ad Manager fills in when it serves the ad`; empty for an unknown macro.
  fileprivate var hint: String { filler.map { ", which \($0) fills in when it serves the ad" } ?? "" }

  /// Returns an issue; a note for macros of known servers, which may be correct until the ad is served.
  fileprivate func issue(_ message: String, in place: String) -> CheckIssue {
    var issue = CheckIssue(message, subject: "\(place):\(text)")
    if filler != nil { issue.severity = .note }
    return issue
  }
}

/// A placeholder that an ad server, an exchange, a player or a template should fill in, as written in the ad.
struct Macro: Hashable, Sendable {
  /// Decoded text with its brackets: `%%CACHEBUSTER%%`, `{{name}}`.
  let text: String

  /// Returns macros in visible text; `[NAME]` and `__NAME__` count only with an underscore or a known name.
  static func all(inText text: String) -> [Macro] {
    guard text.contains(where: { "{%[_".contains($0) }) else { return [] }
    return text.matches(of: wherever).map { Macro(text: String(text[$0.range])) }
      + text.matches(of: /\[[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\]|__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__/).compactMap { match in
        let macro = Macro(text: String(text[match.range]))
        return macro.text.contains("_") || macro.filler != nil ? macro : nil
      }
  }

  /// Returns macros in an address that is loaded or opened, including percent-encoded ones.
  static func all(inAddress address: String) -> [Macro] {
    guard !address.hasPrefix("data:"), !address.hasPrefix("blob:"), !address.hasPrefix("javascript:") else { return [] }
    let plain = decoded(address)
    guard plain.contains(where: { "{%[_".contains($0) }) else { return [] }
    // Alone they are a macro where they are all of a value or of a step of the path, or what an address begins with.
    let alone = plain.matches(
      of:
        #/
        = (\[ [A-Za-z] \w* \] | \{ [A-Za-z] [\w.-]* \} | __ [A-Z] [A-Z0-9_]* __) (?= [&;?\#] | $)
        | / (\[ [A-Z] [A-Z0-9_]* \] | \{ [A-Za-z] [\w.-]* \}) (?= [/?\#;] | $)
        | ^ (\[ [A-Za-z] \w* \] | \{ [A-Za-z] [\w.-]* \} | __ [A-Z] [A-Z0-9_]* __) (?= https?[:%] | [/?\#;] | $)
      /#)
    return plain.matches(of: wherever).map { Macro(text: String(plain[$0.range])) }
      + alone.compactMap { ($0.1 ?? $0.2 ?? $0.3).map { Macro(text: String($0)) } }
  }

  /// Forms that are always macros: `{{name}}`, `${NAME}`, `%%NAME%%`, `[%name%]`, `{%name%}`.
  private static var wherever: Regex<Substring> {
    #/
      \{\{ \s* [\w$\#/] [\w.$\#:/|'"\x20-]{0,80} \}\}
      | \$\{ [A-Za-z_] [\w.:-]{0,60} \}
      | %% [A-Za-z_] [\w:.-]{0,60} %%
      | \[% \s* \w [\w.]{0,60} \s* %\]
      | \{% \s* \w [\w.'"|\x20]{0,80} %\}
    /#
  }

  /// Returns the address with the characters of macros' brackets decoded.
  private static func decoded(_ address: String) -> String {
    guard address.contains("%") else { return address }
    let signs = [("%7B", "{"), ("%7D", "}"), ("%5B", "["), ("%5D", "]"), ("%24", "$"), ("%25%25", "%%"), ("%20", " ")]
    return signs.reduce(address) { text, sign in
      text.replacing(sign.0, with: sign.1).replacing(sign.0.lowercased(), with: sign.1)
    }
  }

  /// Server or program that fills the macro in when the ad is served; nil for a macro in no list.
  var filler: String? {
    let name = text.trimmingPunctuation
    if text.hasPrefix("%%") {
      return Self.adManager.contains(name) || ["PATTERN:", "FILE:", "GDPR_CONSENT_"].contains(where: name.hasPrefix)
        ? "Google Ad Manager" : nil
    }
    if text.hasPrefix("${") {
      if Self.auction.contains(name) { return "the exchange (OpenRTB)" }
      return Self.displayVideo.contains(name) || name.hasPrefix("GDPR_CONSENT_") ? "Display & Video 360" : nil
    }
    if text.hasPrefix("["), !text.hasPrefix("[%") {
      if Self.player.contains(name) { return "the player (VAST)" }
      return ["timestamp", "TIMESTAMP"].contains(name) ? "Campaign Manager 360" : nil
    }
    return nil
  }

  /// Macros of creatives in Google Ad Manager (support.google.com/admanager/answer/1242718).
  private static let adManager: Set<String> = [
    "ADUNIT", "ADVERTISER_ID", "ADVERTISING_IDENTIFIER_PLAIN", "ADVERTISING_IDENTIFIER_IS_LAT",
    "ADVERTISING_IDENTIFIER_TYPE", "CACHEBUSTER", "CLICK_URL_ESC", "CLICK_URL_ESC_ESC", "CLICK_URL_UNESC", "DEST_URL",
    "DEST_URL_ESC", "DEST_URL_ESC_ESC", "GDPR", "ADDTL_CONSENT", "HEIGHT", "KW", "REFERRER_URL_ESC",
    "REFERRER_URL_ESC_ESC", "REFERRER_URL_UNESC", "SITE", "TFCD", "VIEW_URL_ESC", "VIEW_URL_ESC_ESC", "VIEW_URL_UNESC",
    "WIDTH", "WINNING_PRICE", "WINNING_PRICE_ESC",
  ]
  /// Substitution macros of OpenRTB 2.6, 4.4.
  private static let auction: Set<String> = [
    "AUCTION_ID", "AUCTION_BID_ID", "AUCTION_IMP_ID", "AUCTION_SEAT_ID", "AUCTION_AD_ID", "AUCTION_PRICE",
    "AUCTION_CURRENCY", "AUCTION_MBR", "AUCTION_LOSS", "AUCTION_MIN_TO_WIN", "AUCTION_MULTIPLIER", "AUCTION_IMP_TS",
  ]
  /// Macros of third-party tags in Display & Video 360 (support.google.com/displayvideo/answer/2789508).
  private static let displayVideo: Set<String> = [
    "CACHEBUSTER", "CAMPAIGN_ID", "CLICK_URL", "CLICK_URL_ENC", "CREATIVE_ID", "INSERTION_ORDER_ID", "LINE_ITEM_ID",
    "SOURCE_URL", "SOURCE_URL_ENC", "UNIVERSAL_SITE_ID", "WINNING_PRICE", "GDPR", "ADDTL_CONSENT", "US_PRIVACY",
  ]
  /// Macros of VAST 4.2, 6 that ads other than videos use too.
  private static let player: Set<String> = [
    "ADPLAYHEAD", "ADSERVINGID", "APPBUNDLE", "ASSETURI", "CACHEBUSTING", "CLIENTUA", "CONTENTPLAYHEAD", "DEVICEIP",
    "DEVICEUA", "DOMAIN", "ERRORCODE", "GDPRCONSENT", "IFA", "IFATYPE", "LATLONG", "LIMITADTRACKING", "MEDIAPLAYHEAD",
    "PAGEURL", "REGULATIONS", "SERVERUA", "TRANSACTIONID",
  ]
}

extension String {
  /// Text without the brackets and signs around it.
  fileprivate var trimmingPunctuation: String {
    let isName = { (character: Character) in character.isLetter || character.isNumber || character == "_" }
    let start = drop { !isName($0) }
    return String(start.prefix(upTo: start.lastIndex(where: isName).map(start.index(after:)) ?? start.endIndex))
  }
}
