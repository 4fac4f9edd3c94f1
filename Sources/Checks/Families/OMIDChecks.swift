internal import Core
internal import RenderModel

/// Measurement of an ad by Open Measurement; these checks judge only renders that measured.
enum OMIDChecks {
  static let all: [Check] = [
    missingMeasurement, missingScript, scriptError, insecureScript, silentScript, vendorKeyMismatch,
    missingNotExecutedTracking, uncountedImpression,
  ]

  static let missingMeasurement = Check(
    "missing-measurement", family: .measurement, severity: .warning, title: "No measurement script",
    why: "Buyers get no viewability data if no code in the ad listens to the Open Measurement session.",
    remedy:
      "Add the vendor's script to the ad's markup, or its <Verification> to the VAST document, and let it register.",
    source: .openMeasurement, needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured else { return nil }
    let isTried =
      !context.events(.omid, .registerSessionObserver, .inject).isEmpty
      || !context.events(.vast, .verificationNotExecuted).isEmpty
    return isTried ? [] : [CheckIssue("no script registers a session observer, and the ad names none", subject: "none")]
  }

  static let missingScript = Check(
    "missing-verification-script", family: .measurement, severity: .error, title: "Verification script doesn't load",
    why: "The impression is served and paid for, but the vendor never receives it.",
    remedy: "Ask the vendor for the valid address, and test it in a browser.", source: .vast,
    needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured, context.namesScripts else { return nil }
    return context.issues(on: context.events(.omid, .scriptFailed), subject: { $0.address.withoutQuery }) {
      "\($0.address) can't be loaded"
    }
  }

  static let scriptError = Check(
    "verification-script-error", family: .measurement, severity: .error, title: "Verification script throws",
    why: "An exception ends the listener before it reports its data.",
    remedy: "Send the vendor the message and the event; remove the script until it is fixed.",
    source: .openMeasurement, needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured, context.isListenedTo || context.namesScripts else { return nil }
    return context.issues(
      on: context.events(.omid, .listenerError, .scriptError), subject: { "\($0.text("type")) \($0.text("message"))" }
    ) { met in
      let whose = met.event.detail["vendor"]?.string.map { "\($0): " } ?? ""
      let when = met.event.detail["type"]?.string.map { "at \($0), " } ?? ""
      return "\(whose)\(when)\(met.text("message"))"
    }
  }

  static let insecureScript = Check(
    "insecure-verification-script", family: .measurement, severity: .error, title: "Verification script over http",
    why: "Apps on iOS load nothing over plain http, and the script can be changed in transit.",
    remedy: "Use https for the script's address.", source: .transportSecurity,
    needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured, context.namesScripts else { return nil }
    let scripts = context.events(.omid, .inject).filter { $0.text("url").lowercased().hasPrefix("http:") }
    return context.issues(on: scripts, subject: { $0.address.withoutQuery }) { "\($0.address) is loaded over http" }
  }

  static let silentScript = Check(
    "silent-verification-script", family: .measurement, severity: .warning,
    title: "Verification script never registers",
    why: "A script that registers no session observer receives no events and no parameters.",
    remedy: "Call registerSessionObserver() when the script loads, with the vendor key of its resource.",
    source: .openMeasurement, needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured else { return nil }
    let loaded = context.scripts { context, script in context.events(.omid, .scriptLoaded).contains { $0.isOf(script) }
    }
    guard !loaded.isEmpty else { return nil }
    let silent = loaded.filter { script in
      !context.events(.omid, .registerSessionObserver).contains { $0.isOf(script) }
    }
    return context.issues(on: silent, subject: { $0.address.withoutQuery }) {
      "\($0.address) was loaded but registers no session observer"
    }
  }

  static let vendorKeyMismatch = Check(
    "vendor-key-mismatch", family: .measurement, severity: .warning, title: "Vendor key differs from the document's",
    why: "SDKs that look up VerificationParameters by vendor key pass none to a script with another key.",
    remedy: "Use the same key in vendor, or vendorKey, and in registerSessionObserver().", source: .openMeasurement,
    needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured else { return nil }
    let named = context.scripts { _, script in script.event.detail["parameters"]?.bool == true }
    guard !named.isEmpty else { return nil }
    return named.compactMap { script -> CheckIssue? in
      let observers = context.events(.omid, .registerSessionObserver).filter { $0.isOf(script) }
      let vendor = script.event.detail["vendor"]?.string
      guard let other = observers.first(where: { $0.event.detail["vendor"]?.string != vendor }) else { return nil }
      let said = other.event.detail["vendor"]?.string.map { "as \($0)" } ?? "without a key"
      return CheckIssue(
        "\(script.address) registers \(said), but its resource's vendor is \(vendor ?? "missing")",
        subject: script.address.withoutQuery, event: other.seq)
    }
  }

  static let missingNotExecutedTracking = Check(
    "missing-not-executed-tracking", family: .measurement, severity: .note,
    title: "No tracking of verification that isn't executed",
    why: "If a player can't run the script, the vendor assumes fraud or no impression at all.",
    remedy: "Add <Tracking event=\"verificationNotExecuted\"> with [REASON] to each <Verification>.", source: .vast,
    needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured else { return nil }
    let run = context.events(.omid, .inject).filter { $0.event.detail["tracked"] != nil }
    let others = context.events(.vast, .verificationNotExecuted)
    guard !run.isEmpty || !others.isEmpty else { return nil }
    let untold =
      run.filter { $0.event.detail["tracked"]?.bool == false }
      + others.filter { $0.event.detail["beacons"]?.array?.isEmpty != false }
    return context.issues(on: untold, subject: { $0.nameOfVerification }) {
      "the verification \($0.nameOfVerification) has no verificationNotExecuted tracking"
    }
  }

  static let uncountedImpression = Check(
    "uncounted-impression", family: .measurement, severity: .error, title: "Session client without an impression",
    why: "A client that registers ad events replaces the app's impression; without its own, no impression is counted.",
    remedy: "Call adEvents.impressionOccurred() once the ad is on the screen, or create no AdEvents.",
    source: .openMeasurement, needs: .rendered.union([.openMeasurement])
  ) { context in
    guard context.isMeasured else { return nil }
    let calls = context.events(.omid, .sessionClient).filter { $0.text("method") == "registerAdEvents" }
    guard let first = calls.first else { return nil }
    guard context.events(.omid, .impression).isEmpty else { return [] }
    return [
      CheckIssue(
        "the ad's session client registers ad events but never calls impressionOccurred()", subject: "impression",
        event: first.seq)
    ]
  }
}

extension CheckContext {
  /// Indicates if the app measured and the render completed with a loaded page.
  fileprivate var isMeasured: Bool { record.omid == true && hasLoaded && record.outcome == .completed }

  fileprivate var namesScripts: Bool { !events(.omid, .inject).isEmpty }

  fileprivate var isListenedTo: Bool { !events(.omid, .registerSessionObserver, .addEventListener).isEmpty }

  /// Returns the scripts injected into a page for which the condition holds.
  fileprivate func scripts(where holds: (CheckContext, Met) -> Bool) -> [Met] {
    events(.omid, .inject).filter { holds(self, $0) }
  }
}

extension CheckContext.Met {
  /// Indicates if the event concerns an injected script, on the same way and in the same ad.
  fileprivate func isOf(_ script: CheckContext.Met) -> Bool {
    action == script.action && event.detail["script"]?.string == script.event.detail["script"]?.string
      && event.detail["ad"] == script.event.detail["ad"] && event.detail["video"] == script.event.detail["video"]
  }

  /// Address of a script, cut to 120 characters, as a `data:` address may contain the whole text.
  fileprivate var address: String { text("url").cut(to: 120) }

  /// Vendor of the verification, or else the address of its code.
  fileprivate var nameOfVerification: String {
    event.detail["vendor"]?.string ?? event.detail["url"]?.string ?? event.detail["resources"]?[0]?.string ?? "–"
  }
}
