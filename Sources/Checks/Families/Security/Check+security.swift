extension Check {
  /// What an ad does behind a person's back.
  static let securityChecks: [Check] = [
    autoRedirect, automaticOpen, popup, topWindow, dialog, insecureRequest, insecureClickthrough, privateAddress,
    download,
    permissionRequest, browserPrompt, historyManipulation, serviceWorker, remoteCode, miner,
  ]
}
