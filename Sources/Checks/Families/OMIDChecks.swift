internal import Core
internal import RenderModel

/// How an ad is measured by Open Measurement; nothing is judged unless the render measured.
enum OMIDChecks {
  static let all: [Check] = [
    missingMeasurement, missingScript, scriptError, insecureScript, silentScript, vendorKeyMismatch,
    missingNotExecutedTracking, uncountedImpression,
  ]

  static let missingMeasurement = Check(
    "missing-measurement", family: .measurement, severity: .warning, title: "Nobody measures",
    why: "Who buys by Open Measurement gets no viewability of an ad in which no code listens to its session.",
    remedy:
      "Put the vendor's script into the ad's markup, or its <Verification> into the VAST document, and have it register.",
    source: .openMeasurement
  ) { context in
    guard context.isMeasured else { return nil }
    let isTried =
      !context.events(.omid, "registerSessionObserver", "inject").isEmpty
      || !context.events(.vast, "verificationNotExecuted").isEmpty
    return isTried ? [] : [CheckIssue("no script registers a session observer, and none is named", subject: "none")]
  }

  static let missingScript = Check(
    "missing-verification-script", family: .measurement, severity: .error, title: "Measuring code that doesn't load",
    why: "The impression is served and paid, and the vendor never hears of it.",
    remedy: "Ask the vendor for the address that holds; try it in a browser.", source: .vast
  ) { context in
    guard context.isMeasured, context.namesScripts else { return nil }
    return context.issues(on: context.events(.omid, "scriptFailed"), subject: { $0.address.withoutQuery }) {
      "\($0.address) can't be loaded"
    }
  }

  static let scriptError = Check(
    "verification-script-error", family: .measurement, severity: .error, title: "Measuring code that throws",
    why: "What a listener throws ends what it was about to report.",
    remedy: "Send the vendor the message and the event; take the script out until it is mended.",
    source: .openMeasurement
  ) { context in
    guard context.isMeasured, context.isListenedTo || context.namesScripts else { return nil }
    return context.issues(
      on: context.events(.omid, "listenerError", "scriptError"), subject: { "\($0.text("type")) \($0.text("message"))" }
    ) { met in
      let whose = met.event.detail["vendor"]?.string.map { "\($0): " } ?? ""
      let when = met.event.detail["type"]?.string.map { "at \($0), " } ?? ""
      return "\(whose)\(when)\(met.text("message"))"
    }
  }

  static let insecureScript = Check(
    "insecure-verification-script", family: .measurement, severity: .error, title: "Measuring code over http",
    why: "Apps on iOS load nothing over plain http, and whoever is on the way may change the script.",
    remedy: "Write the address with https.", source: .transportSecurity
  ) { context in
    guard context.isMeasured, context.namesScripts else { return nil }
    let scripts = context.events(.omid, "inject").filter { $0.text("url").lowercased().hasPrefix("http:") }
    return context.issues(on: scripts, subject: { $0.address.withoutQuery }) { "\($0.address) is loaded over http" }
  }

  static let silentScript = Check(
    "silent-verification-script", family: .measurement, severity: .warning,
    title: "Measuring code that never registers",
    why: "A script that registers no session observer is told nothing, not even its parameters.",
    remedy: "Have it call registerSessionObserver() as it loads, with the vendor key of its resource.",
    source: .openMeasurement
  ) { context in
    guard context.isMeasured else { return nil }
    let loaded = context.scripts { context, script in context.events(.omid, "scriptLoaded").contains { $0.isOf(script) }
    }
    guard !loaded.isEmpty else { return nil }
    let silent = loaded.filter { script in
      !context.events(.omid, "registerSessionObserver").contains { $0.isOf(script) }
    }
    return context.issues(on: silent, subject: { $0.address.withoutQuery }) {
      "\($0.address) was loaded and registers no session observer"
    }
  }

  static let vendorKeyMismatch = Check(
    "vendor-key-mismatch", family: .measurement, severity: .warning, title: "Another vendor key than the document's",
    why: "SDKs that find VerificationParameters by vendor key give a script none that registers under another.",
    remedy: "Write the same key in vendor, or vendorKey, and in registerSessionObserver().", source: .openMeasurement
  ) { context in
    guard context.isMeasured else { return nil }
    let named = context.scripts { _, script in script.event.detail["parameters"]?.bool == true }
    guard !named.isEmpty else { return nil }
    return named.compactMap { script -> CheckIssue? in
      let observers = context.events(.omid, "registerSessionObserver").filter { $0.isOf(script) }
      let vendor = script.event.detail["vendor"]?.string
      guard let other = observers.first(where: { $0.event.detail["vendor"]?.string != vendor }) else { return nil }
      let said = other.event.detail["vendor"]?.string.map { "as \($0)" } ?? "without a key"
      return CheckIssue(
        "\(script.address) registers \(said), and its resource's vendor is \(vendor ?? "not said")",
        subject: script.address.withoutQuery, event: other.seq)
    }
  }

  static let missingNotExecutedTracking = Check(
    "missing-not-executed-tracking", family: .measurement, severity: .note,
    title: "Nobody hears that measuring code isn't run",
    why: "Where a player can't run the script, its vendor takes the silence for fraud or for no impression at all.",
    remedy: "Add <Tracking event=\"verificationNotExecuted\"> with [REASON] to each <Verification>.", source: .vast
  ) { context in
    guard context.isMeasured else { return nil }
    let run = context.events(.omid, "inject").filter { $0.event.detail["tracked"] != nil }
    let others = context.events(.vast, "verificationNotExecuted")
    guard !run.isEmpty || !others.isEmpty else { return nil }
    let untold =
      run.filter { $0.event.detail["tracked"]?.bool == false }
      + others.filter { $0.event.detail["beacons"]?.array?.isEmpty != false }
    return context.issues(on: untold, subject: { $0.nameOfVerification }) {
      "the verification \($0.nameOfVerification) has no verificationNotExecuted tracking"
    }
  }

  static let uncountedImpression = Check(
    "uncounted-impression", family: .measurement, severity: .error, title: "A session client that counts nothing",
    why: "Who registers ad events takes the impression over from the app: unless it says so, nobody counts the ad.",
    remedy: "Call adEvents.impressionOccurred() once the ad is on the screen, or create no AdEvents.",
    source: .openMeasurement
  ) { context in
    guard context.isMeasured else { return nil }
    let calls = context.events(.omid, "sessionClient").filter { $0.text("method") == "registerAdEvents" }
    guard let first = calls.first else { return nil }
    guard context.events(.omid, "impression").isEmpty else { return [] }
    return [
      CheckIssue(
        "the ad's session client registers ad events and never says impressionOccurred", subject: "impression",
        event: first.seq)
    ]
  }
}

extension CheckContext {
  /// Whether the app measured, and the ad came as far as to be.
  fileprivate var isMeasured: Bool { record.omid == true && hasLoaded && record.outcome == .completed }

  fileprivate var namesScripts: Bool { !events(.omid, "inject").isEmpty }

  fileprivate var isListenedTo: Bool { !events(.omid, "registerSessionObserver", "addEventListener").isEmpty }

  /// Scripts that were put into a page, of which this is so.
  fileprivate func scripts(where holds: (CheckContext, Met) -> Bool) -> [Met] {
    events(.omid, "inject").filter { holds(self, $0) }
  }
}

extension CheckContext.Met {
  /// Whether it is about a script that was put into a page, on the same way and in the same ad.
  fileprivate func isOf(_ script: CheckContext.Met) -> Bool {
    action == script.action && event.detail["script"]?.string == script.event.detail["script"]?.string
      && event.detail["ad"] == script.event.detail["ad"] && event.detail["video"] == script.event.detail["video"]
  }

  /// Where a script is, as far as people read it: one may be an address that has its text in it.
  fileprivate var address: String { text("url").cut(to: 120) }

  /// Its vendor, or else where its code is.
  fileprivate var nameOfVerification: String {
    event.detail["vendor"]?.string ?? event.detail["url"]?.string ?? event.detail["resources"]?[0]?.string ?? "–"
  }
}
