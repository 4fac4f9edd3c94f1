internal import ArgumentParser
internal import Egress
internal import Jobs

/// What creatives may reach, and what is loaded or told on their behalf.
struct NetworkOptions: ParsableArguments {
  @Option(help: "What creatives may reach: any address, public ones only, or none at all.")
  var network: NetworkReach.Kind?

  @Option(
    help: ArgumentHelp(
      "Addresses that --network public or none reaches besides: 10.1.0.0/16.", valueName: "block"))
  var allowNetwork: [String] = []

  @Flag(help: "The same as --network none.") var offline = false
  @Flag(help: "Load the pages that clickthroughs lead to.") var followClickthroughs = false
  @Flag(help: "Really ask the addresses that count a video ad's events; they are only logged otherwise.")
  var sendBeacons = false

  func validate() throws {
    if offline, network ?? .none != .none { throw ValidationError("--offline goes with --network none only") }
    guard allowNetwork.isEmpty || reach.kind != .any else {
      throw ValidationError("--allow-network goes with --network public or none")
    }
    if let wrong = allowNetwork.first(where: { AddressBlock($0) == nil }) {
      throw ValidationError("'\(wrong)' is no block of addresses: write it like 10.1.0.0/16")
    }
  }

  var reach: NetworkReach { NetworkReach(offline ? .none : network ?? .any, allowed: allowNetwork) }
}

extension NetworkReach.Kind: ExpressibleByArgument {}
