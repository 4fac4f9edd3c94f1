/// What a command is used for, as lines that can be copied.
package enum CommandExamples {
  /// One call and what it is for.
  package struct Example: Sendable {
    package let call: String
    package let purpose: String
  }

  /// The examples of a command, named as it is called: `baseline verify`; the empty name is galley's own.
  package static func of(_ command: String) -> [Example] {
    (all[command] ?? []).map { Example(call: $0.0, purpose: $0.1) }
  }

  /// The commands that have examples.
  package static var commands: [String] { all.keys.sorted() }

  private static let all = judging.merging(baselines) { $1 }.merging(catalogues) { $1 }.merging(serving) { $1 }

  private static let judging: [String: [(String, String)]] = [
    "": [
      ("galley render banner.html", "one picture of each state"),
      ("galley check creatives --recursive --html report.html", "what is wrong, and a page for people"),
      ("galley baseline verify creatives/* --html changes.html", "what has changed"),
    ],
    "init": [
      ("galley init creatives", "galley.yaml and a first scenario"),
      ("galley init creatives --ci github", "a workflow of GitHub Actions as well"),
    ],
    "inspect": [
      ("galley inspect response.xml", "what a VAST document says, and what is wrong with it"),
      ("galley inspect bid.json vmap.xml --json", "a bid response and a schedule, for a program"),
    ],
    "render": [
      ("galley render banner.html", "one file on the default phone"),
      ("galley render campaign.zip --device pixel-8 --placement interstitial", "a zip, full screen on another phone"),
      ("galley render --recursive creatives --backup jpeg --max-bytes 40k", "all below a folder, with backup images"),
      ("galley render creative/ --filmstrip 0.5 --filmstrip-length 15", "fifteen seconds of an animated ad"),
    ],
    "check": [
      ("galley check banner.zip", "the rules of the IAB"),
      ("galley check creatives --recursive --profile all --html report.html", "every network, and a page for people"),
      ("galley check creative/ --explore", "what taps lead to as well"),
    ],
    "checks": [
      ("galley checks", "all checks"),
      ("galley checks rejected-resize", "why one matters and what to do"),
    ],
    "report": [
      ("galley report proofs --html report.html", "a page for people, without rendering again"),
      ("galley report proofs --pdf campaign.pdf", "pages of pictures to send to somebody"),
      ("galley report proofs --junit junit.xml --sarif findings.sarif", "for a CI system and code scanning"),
    ],
    "merge-reports": [
      ("galley merge-reports proofs-1 proofs-2 --out proofs", "what two shards left, as one run"),
      ("galley merge-reports proofs-* --out proofs --html report.html", "all shards, and a page for people"),
    ],
    "diff": [
      ("galley diff before.png after.png", "two pictures"),
      ("galley diff proofs-main proofs-branch --html changes.html", "two folders, and a page to look at"),
      ("galley diff before.png after.png --ignore 0,0,320,20 --max-ratio 0.001", "without the first 20 rows"),
    ],
    "compare-containers": [
      ("galley compare-containers creative/ --container prebid-android --container applovin", "two SDKs"),
      ("galley compare-containers --recursive creatives --json", "every SDK, for a program"),
    ],
    "compare-consent": [
      ("galley compare-consent creative/", "whom it asks when the person refuses"),
      ("galley compare-consent ad.html --replay ad.zip --json", "of a recording, for a program"),
    ],
    "compare-networks": [
      ("galley compare-networks ad.html --replay ad.zip", "the usual slow networks, the same each time"),
      ("galley compare-networks ad.html --profile 3g --profile offline-after:2s --without-hosts 3", "networks of one's own"),
    ],
    "conformance": [
      ("galley conformance", "every rule of MRAID 3.0"),
      ("galley conformance --section 7 --filter resize", "some of them"),
    ],
  ]

  private static let baselines: [String: [(String, String)]] = [
    "baseline": [
      ("galley baseline record creatives/*", "once"),
      ("galley baseline verify creatives/* --html changes.html", "after each change"),
      ("galley baseline approve 'summer-*'", "when a change is meant"),
    ],
    "baseline record": [
      ("galley baseline record creatives/*", "keeps what has no baseline yet"),
      ("galley baseline record --recursive creatives --device pixel-8", "on another phone as well"),
    ],
    "baseline verify": [
      ("galley baseline verify creatives/* --html changes.html", "renders and compares"),
      ("galley baseline verify --recursive creatives --strict", "fails for creatives that are gone too"),
    ],
    "baseline approve": [
      ("galley baseline approve 'summer-*'", "creatives by a pattern"),
      ("galley baseline approve expand:002-expanded", "one picture of one creative"),
    ],
    "baseline list": [
      ("galley baseline list creatives/*", "what is recorded, and what drew it"),
      ("galley baseline list creatives/* --json", "for a program"),
    ],
    "baseline prune": [
      ("galley baseline prune creatives/* -n", "only says what would go"),
      ("galley baseline prune creatives/*", "removes it"),
    ],
  ]

  private static let catalogues: [String: [(String, String)]] = [
    "doctor": [
      ("galley doctor", "what this machine lacks, with a remedy for each"),
      ("galley doctor --bundle report.zip --creative banner.zip", "what a bug report needs"),
    ],
    "film": [
      ("galley film creative/ --output ad.mp4", "fifteen seconds of the ad"),
      ("galley film creative/ --states --output walk.webm", "its scenario on the whole phone, with taps shown"),
    ],
    "har": [
      ("galley har show ad.zip", "each request, and whom they were sent to"),
      ("galley har redact ad.zip --out public.zip", "without cookies and places, to give away"),
    ],
    "har show": [
      ("galley har show ad.zip", "each request in a line, and whom they were sent to"),
      ("galley har show ad.zip --json", "the same for programs"),
    ],
    "har edit": [
      ("galley har edit ad.zip --status 3=503 --out broken.zip", "what an ad does when request 3 fails"),
      ("galley har edit ad.zip --drop '*.tracker.example' --out lean.zip", "without what was asked of some hosts"),
    ],
    "har redact": [
      ("galley har redact ad.zip --out public.zip", "without cookies and places"),
      ("galley har redact ad.zip --field user.id --query uid --out public.zip", "and without a number of somebody's"),
    ],
    "har merge": [
      ("galley har merge first.zip second.zip --out both.zip", "one recording of two"),
      ("galley har merge monday/*.zip --out monday.zip", "of all in a folder"),
    ],
    "har convert": [
      ("galley har convert ad.zip --out ad.har", "one file that browsers' tools open"),
      ("galley har convert ad.har --out ad.zip", "with bodies in files of their own"),
      ("galley har convert ad.zip --out ad.wacz", "for players of web archives"),
    ],
    "trace": [
      ("galley trace galley-out/banner --output trace.zip", "of a result that is there"),
      ("galley trace galley-out/banner/pixel-8", "of one of several devices, as trace.zip"),
    ],
    "devices": [("galley devices", "a table"), ("galley devices --json", "all their data")],
    "containers": [
      ("galley containers", "every difference and its source"),
      ("galley containers --json", "in the form that --container reads"),
    ],
  ]

  private static let serving: [String: [(String, String)]] = [
    "play": [
      ("galley play creative/", "prints the address of a page to tap the ad on"),
      ("galley play banner.html --device pixel-8 --open", "on another phone, in the browser at once"),
    ],
    "show": [
      ("galley show galley-out", "prints the address of a page with every result"),
      ("galley show report.html --open", "a report, in the browser at once"),
    ],
    "serve": [
      ("galley serve --port 8080 --data galley-data", "for this machine only"),
      ("galley serve --host 0.0.0.0 --tokens tokens.json", "for others, with tokens"),
      ("galley serve --queue nats://a:4222,nats://b:4222", "one of many, which other machines render for"),
    ],
    "work": [
      ("galley work --queue nats://a:4222,nats://b:4222", "a render a core"),
      ("galley work --queue tls://nats:4222 --queue-credentials work.creds --metrics 0.0.0.0:9102", "watched"),
    ],
    "serve token": [
      ("galley serve token create ci --file tokens.json --scopes render,read", "prints it once"),
      ("galley serve token list --file tokens.json", "names and scopes"),
    ],
    "serve token create": [
      ("galley serve token create ci --file tokens.json --scopes render,read", "prints it once"),
      ("galley serve token create prometheus --file tokens.json --scopes read", "for metrics"),
    ],
    "serve token list": [
      ("galley serve token list --file tokens.json", "names and scopes"),
      ("galley serve token list --file /var/lib/galley/tokens.json", "those of the packaged service"),
    ],
    "serve token remove": [
      ("galley serve token remove ci --file tokens.json", "its holder may call no more"),
      ("galley serve token remove ci --file /var/lib/galley/tokens.json", "of the packaged service"),
    ],
  ]
}
