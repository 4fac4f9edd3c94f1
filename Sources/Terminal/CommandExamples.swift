/// Examples of commands, as lines that can be copied.
package enum CommandExamples {
  /// Call and its purpose.
  package struct Example: Sendable {
    package let call: String
    package let purpose: String
  }

  /// Returns the examples of a command, such as `baseline verify`; the empty name stands for galley itself.
  package static func of(_ command: String) -> [Example] {
    (all[command] ?? []).map { Example(call: $0.0, purpose: $0.1) }
  }

  /// Names of the commands that have examples.
  package static var commands: [String] { all.keys.sorted() }

  private static let all = judging.merging(baselines) { $1 }.merging(catalogues) { $1 }.merging(serving) { $1 }

  private static let judging: [String: [(String, String)]] = [
    "": [
      ("galley render banner.html", "a screenshot of each state"),
      ("galley check creatives --recursive --html report.html", "the findings, also as an HTML page"),
      ("galley baseline verify creatives/* --html changes.html", "changes since the baselines were recorded"),
    ],
    "init": [
      ("galley init creatives", "creates galley.yaml and a first scenario"),
      ("galley init creatives --ci github", "also a GitHub Actions workflow"),
    ],
    "inspect": [
      ("galley inspect response.xml", "content and errors of a VAST document"),
      ("galley inspect bid.json vmap.xml --json", "a bid response and a VMAP schedule as JSON"),
    ],
    "render": [
      ("galley render banner.html", "one file on the default phone"),
      ("galley render campaign.zip --device pixel-8 --placement interstitial", "a zip, full screen on another phone"),
      (
        "galley render --recursive creatives --backup jpeg --max-bytes 40k",
        "all creatives below a folder, with backup images"
      ),
      ("galley render creative/ --filmstrip 0.5 --filmstrip-length 15", "fifteen seconds of an animated ad"),
    ],
    "check": [
      ("galley check banner.zip", "the rules of the IAB"),
      (
        "galley check creatives --recursive --profile all --html report.html",
        "the rules of every network, also as an HTML page"
      ),
      ("galley check creative/ --explore", "also the states that taps lead to"),
    ],
    "checks": [
      ("galley checks", "all checks"),
      ("galley checks rejected-resize", "one check's reason and remedy"),
    ],
    "report": [
      ("galley report proofs --html report.html", "an HTML page, without rendering again"),
      ("galley report proofs --pdf campaign.pdf", "a PDF with screenshots"),
      ("galley report proofs --junit junit.xml --sarif findings.sarif", "for a CI system and code scanning"),
    ],
    "merge-reports": [
      ("galley merge-reports proofs-1 proofs-2 --out proofs", "joins the results of two shards"),
      ("galley merge-reports proofs-* --out proofs --html report.html", "joins all shards, and writes an HTML page"),
    ],
    "diff": [
      ("galley diff before.png after.png", "two images"),
      ("galley diff proofs-main proofs-branch --html changes.html", "two folders, also as an HTML page"),
      ("galley diff before.png after.png --ignore 0,0,320,20 --max-ratio 0.001", "without the first 20 rows"),
    ],
    "compare-containers": [
      ("galley compare-containers creative/ --container prebid-android --container applovin", "two SDKs"),
      ("galley compare-containers --recursive creatives --json", "every SDK, as JSON"),
    ],
    "compare-consent": [
      ("galley compare-consent creative/", "requests for each choice of the user"),
      ("galley compare-consent ad.html --replay ad.zip --json", "from a recording, as JSON"),
    ],
    "compare-networks": [
      ("galley compare-networks ad.html --replay ad.zip", "the default networks, from a recording"),
      (
        "galley compare-networks ad.html --profile 3g --profile offline-after:2s --without-hosts 3",
        "chosen networks"
      ),
    ],
    "conformance": [
      ("galley conformance", "every rule of MRAID 3.0 and of playables' hosts"),
      ("galley conformance --section 7 --filter resize", "a part of them"),
    ],
  ]

  private static let baselines: [String: [(String, String)]] = [
    "baseline": [
      ("galley baseline record creatives/*", "first"),
      ("galley baseline verify creatives/* --html changes.html", "after each change"),
      ("galley baseline approve 'summer-*'", "accepts intended changes"),
    ],
    "baseline record": [
      ("galley baseline record creatives/*", "records missing baselines"),
      ("galley baseline record --recursive creatives --device pixel-8", "on another phone as well"),
    ],
    "baseline verify": [
      ("galley baseline verify creatives/* --html changes.html", "renders and compares"),
      ("galley baseline verify --recursive creatives --strict", "also fails for missing creatives"),
    ],
    "baseline approve": [
      ("galley baseline approve 'summer-*'", "all changes of creatives that match a pattern"),
      ("galley baseline approve expand:002-expanded", "one screenshot of one creative"),
    ],
    "baseline list": [
      ("galley baseline list creatives/*", "baselines and the environments that drew them"),
      ("galley baseline list creatives/* --json", "as JSON"),
    ],
    "baseline prune": [
      ("galley baseline prune creatives/* -n", "lists what would be removed"),
      ("galley baseline prune creatives/*", "removes it"),
    ],
  ]

  private static let catalogues: [String: [(String, String)]] = [
    "doctor": [
      ("galley doctor", "problems of this machine, with remedies"),
      ("galley doctor --bundle report.zip --creative banner.zip", "the data for a bug report"),
    ],
    "film": [
      ("galley film creative/ --output ad.mp4", "fifteen seconds of the ad"),
      ("galley film creative/ --states --output walk.webm", "its scenario on the whole screen, with taps shown"),
    ],
    "har": [
      ("galley har show ad.zip", "each request, and the parties that received them"),
      ("galley har redact ad.zip --out public.zip", "without cookies and locations, for sharing"),
    ],
    "har show": [
      ("galley har show ad.zip", "one line per request, and the parties that received them"),
      ("galley har show ad.zip --json", "the same as JSON"),
    ],
    "har edit": [
      ("galley har edit ad.zip --status 3=503 --out broken.zip", "a recording in which request 3 fails"),
      ("galley har edit ad.zip --drop '*.tracker.example' --out lean.zip", "without requests to some hosts"),
    ],
    "har redact": [
      ("galley har redact ad.zip --out public.zip", "without cookies and locations"),
      ("galley har redact ad.zip --field user.id --query uid --out public.zip", "also without a user ID"),
    ],
    "har merge": [
      ("galley har merge first.zip second.zip --out both.zip", "joins two recordings"),
      ("galley har merge monday/*.zip --out monday.zip", "joins all recordings in a folder"),
    ],
    "har convert": [
      ("galley har convert ad.zip --out ad.har", "one file for the developer tools of browsers"),
      ("galley har convert ad.har --out ad.zip", "with bodies as separate files"),
      ("galley har convert ad.zip --out ad.wacz", "for players of web archives"),
    ],
    "trace": [
      ("galley trace galley-out/banner --output trace.zip", "a trace of an existing result"),
      ("galley trace galley-out/banner/pixel-8", "a trace of one device, as trace.zip"),
    ],
    "devices": [("galley devices", "a table"), ("galley devices --json", "all their data")],
    "containers": [
      ("galley containers", "every difference and its source"),
      ("galley containers --json", "in the format that --container reads"),
    ],
  ]

  private static let serving: [String: [(String, String)]] = [
    "play": [
      ("galley play creative/", "prints the address of a page to tap the ad on"),
      ("galley play banner.html --device pixel-8 --open", "on another phone; opens the browser"),
    ],
    "show": [
      ("galley show galley-out", "prints the address of a page with all results"),
      ("galley show report.html --open", "a report; opens the browser"),
    ],
    "serve": [
      ("galley serve --port 8080 --data galley-data", "for this machine only"),
      ("galley serve --host 0.0.0.0 --tokens tokens.json", "for other machines, with tokens"),
      ("galley serve --queue nats://a:4222,nats://b:4222", "one of several servers; other machines render"),
    ],
    "work": [
      ("galley work --queue nats://a:4222,nats://b:4222", "one render per core"),
      ("galley work --queue tls://nats:4222 --queue-credentials work.creds --metrics 0.0.0.0:9102", "with metrics"),
    ],
    "serve token": [
      ("galley serve token create ci --file tokens.json --scopes render,read", "prints the token once"),
      ("galley serve token list --file tokens.json", "names and scopes"),
    ],
    "serve token create": [
      ("galley serve token create ci --file tokens.json --scopes render,read", "prints the token once"),
      ("galley serve token create prometheus --file tokens.json --scopes read", "for metrics"),
    ],
    "serve token list": [
      ("galley serve token list --file tokens.json", "names and scopes"),
      ("galley serve token list --file /var/lib/galley/tokens.json", "names and scopes of the packaged service"),
    ],
    "serve token remove": [
      ("galley serve token remove ci --file tokens.json", "revokes the token"),
      ("galley serve token remove ci --file /var/lib/galley/tokens.json", "revokes a token of the packaged service"),
    ],
  ]
}
