internal import ArgumentParser
internal import Egress
internal import Service

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

  @Option(
    help: ArgumentHelp(
      "The address by which others know the server: its pages' cookies are for https only if it is, and webhooks name it.",
      valueName: "url"))
  var publicAddress: String?

  @Option(
    help: ArgumentHelp(
      "A proxy in front of the server, by address or block like 10.0.0.0/8: what it says of https is believed.",
      valueName: "address"))
  var trustedProxy: [String] = []

  func validate() throws {
    if let publicAddress, PublicAddress(publicAddress) == nil {
      throw ValidationError("--public-address must be like https://galley.example, not '\(publicAddress)'")
    }
    for proxy in trustedProxy where AddressBlock(proxy) == nil {
      throw ValidationError("--trusted-proxy must be an address or a block like 10.0.0.0/8, not '\(proxy)'")
    }
  }
}
