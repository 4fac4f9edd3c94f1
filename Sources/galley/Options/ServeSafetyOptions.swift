internal import ArgumentParser

/// Who may call the server, and what creatives may reach.
struct ServeSafetyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of tokens; without one only this machine may call, and do everything.", valueName: "file"))
  var tokens: String?

  @Option(
    help: ArgumentHelp("The file with the secret that webhooks are signed with.", valueName: "file"))
  var webhookSecret: String?

  @Flag(help: "Let creatives and webhooks reach private addresses.") var allowPrivateNetwork = false
}
