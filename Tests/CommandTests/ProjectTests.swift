import Foundation
import Testing

/// The project's file, lists of what would be rendered, and findings that many creatives share.
@Suite struct ProjectTests {
  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  @Test func `the file beside the creatives has options for every command`() async throws {
    try program.file("ads/one.html")
    try program.file("ads/steps.yaml", "size: 468x60\nsteps:\n  - tap: p\n")
    try program.file("galley.yaml", "options:\n  size: 300x250\n  seed: 7\n  renders: 3\n  offline: true\n")
    let plain = try await program.run("render --list ads/one.html")
    #expect(plain.output.contains("banner 300x250\n") && plain.code == 0, "\(plain.output)")
    #expect(plain.errors == "galley.yaml: --size=300x250 --seed=7 --offline\n")
    let said = try await program.run("render --size 728x90 --list ads/one.html --network none")
    #expect(said.output.contains("banner 728x90, device desktop as no phone has room for 728x90\n"))
    #expect(said.errors == "galley.yaml: --seed=7\n")
    let other = try await program.run("check --placement interstitial --list --json ads/one.html")
    #expect(other.errors.isEmpty && other.output.contains("\"interstitial\""))
  }

  @Test func `paths in it start from its folder, and devices go to commands that take several`() async throws {
    try program.file("ads/one/index.html")
    try program.file("ads/steps.yaml", "size: 468x60\nsteps:\n  - tap: p\n")
    try program.file("ads/galley.yaml", "devices: [pixel-8, iphone-15]\noptions:\n  scenario: steps.yaml\n")
    let list = try await program.run("render --list ads/one")
    #expect(list.output.contains("banner 468x60\n"), "\(list.output)\(list.errors)")
    #expect(list.output.hasSuffix("1 creative on pixel-8, iphone-15: 2 renders\n"))
    let one = try await program.run("render --list ads/one --screen 400x800@2")
    #expect(one.output.hasSuffix("1 creative on 400x800@2\n"))
    #expect(!one.errors.contains("--device"))
    let compared = try await program.run("compare-containers ads/one --out compared --container applovin")
    #expect(compared.errors.contains("this command takes one"))
  }

  @Test func `options that playables choose themselves are taken from one side only`() async throws {
    try program.file("game.html")
    try program.file("steps.yaml", "- tap: p\n")
    let four = "  container: applovin\n  scenario: steps.yaml\n  without-hosts: 1\n"
    try program.file("galley.yaml", "options:\n  seed: 7\n\(four)")
    let call = try await program.run("check --playables --profile meta --list game.html")
    #expect(call.code == 0 && call.errors == "galley.yaml: --seed=7\n", "\(call.errors)")
    try program.file("galley.yaml", "options:\n  seed: 7\n  playables: true\n")
    let file = try await program.run("check --profile meta --list game.html")
    #expect(file.code == 0 && file.errors == "galley.yaml: --seed=7 --playables\n", "\(file.errors)")
    for option in ["--container meta", "--scenario steps.yaml", "--without-hosts 1"] {
      let other = try await program.run("check --list game.html \(option)")
      #expect(other.code == 0 && other.errors == "galley.yaml: --seed=7\n", "\(other.errors)")
    }
    let unrelated = try await program.run("check --list game.html --placement interstitial")
    #expect(unrelated.errors == "galley.yaml: --seed=7 --playables\n", "\(unrelated.errors)")
  }

  @Test(arguments: ["container: meta", "scenario: steps.yaml", "without-hosts: 1", "feed: feed.yaml"])
  func `a file with playables and an option that they choose themselves is refused`(option: String) async throws {
    try program.file("game.html")
    try program.file("galley.yaml", "options:\n  playables: true\n  \(option)\n")
    let outcome = try await program.run("check --list game.html")
    #expect(outcome.code == 2 && outcome.errors.contains("galley.yaml: --playables"), "\(outcome.errors)")
    #expect(outcome.errors.contains("[arguments-invalid]"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("options:\n  sise: 300x250\n", "no command has the option 'sise'; did you mean size?"),
    ("options:\n  size: 300\n", "galley.yaml: --size: '300' isn't a size"),
    ("options:\n  json: true\n", "--json isn't allowed in a file"),
    ("options:\n  --size: 300x250\n", "galley.yaml:2: write an option without leading hyphens"),
    ("options:\n  size: {a: 1}\n", "galley.yaml:2: the option size must be text"),
    ("option:\n  size: 1\n", "did you mean options?"),
  ]) func `what is wrong in it is told of the file`(text: String, part: String) async throws {
    try program.file("one.html")
    try program.file("galley.yaml", text)
    let outcome = try await program.run("render one.html")
    #expect(outcome.code == 2 && outcome.errors.contains(part), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `what a creative brings along doesn't count, and is told`() async throws {
    try program.file("ads/one/index.html")
    try program.file("ads/one/galley.yaml", "options:\n  size: 300x250\n  html: /tmp/never.html\n")
    for creative in ["ads/one", "ads/one/index.html", "ads/*"] {
      let outcome = try await program.run("render --list \(creative)")
      #expect(outcome.output.contains("banner 320x50") && outcome.code == 0, "\(outcome.output)")
      #expect(outcome.errors.hasPrefix("ignored: ads/one/galley.yaml"), "\(outcome.errors)")
    }
    try program.file("ads/galley.yaml", "options:\n  size: 728x90\n")
    let beside = try await program.run("render --list ads/*")
    #expect(beside.output.contains("banner 728x90, device desktop"), "\(beside.output)\(beside.errors)")
  }

  @Test(arguments: [
    "html: r.html", "junit: r.xml", "sarif: r", "ctrf: r", "har: r", "pdf: r", "out: elsewhere", "github: true",
    "queue: nats://127.0.0.1:4", "queue-ca: x", "record: r.zip", "replay: r.zip", "trace: t.zip", "network: any",
    "network: public", "allow-network: 10.0.0.0/8", "memory: 9000", "timeout: 3000", "jobs: 200", "isolation: none",
    "send-beacons: true", "follow-clickthroughs: true", "baselines: ../x", "overwrite: true", "in-ci: true",
    "explore-seconds: 86400", "scenario: ../x.yaml", "scenario: /etc/passwd", "feed: ../feed.yaml", "device: ../d.json",
    "across-fingerprints: true", "with-network: true", "fault: host=* status=503",
  ]) func `a file that was found says nothing that writes, connects or loosens`(option: String) async throws {
    try program.file("one/index.html")
    try program.file("galley.yaml", "options:\n  \(option)\n")
    let outcome = try await program.run("render one")
    #expect(outcome.code == 2 && outcome.errors.contains("[policy-option-refused]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--policy galley.yaml"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder).sorted() == ["galley.yaml", "one"])
  }

  @Test func `a file that the call names may say where reports go`() async throws {
    try program.file("one/index.html")
    try program.file("galley.yaml", "options:\n  html: r.html\n  timeout: 40\n")
    let outcome = try await program.run("check one --policy galley.yaml --json")
    #expect(outcome.code == 0 && outcome.output.contains("\"source\" : \"named\""), "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: program.folder + "/r.html"))
  }

  @Test func `a check tells which file counted`() async throws {
    try program.file("one/index.html")
    try program.file("galley.yaml", "fail-on: note\n")
    let told = try await program.run("check one")
    #expect(told.output.contains("\npolicy: galley.yaml (found)\n"), "\(told.output)")
    let none = try await program.run("check /nowhere.html")
    #expect(none.output.contains("\npolicy: none\n"), "\(none.output)")
  }

  @Test func `a list has sizes and where they come from, and writes nothing`() async throws {
    try program.file("ads/Acme_300x250.html")
    try program.file("ads/styled/index.html", "<html><body style='width:728px;height:90px'>")
    try program.file("ads/plain/index.html", "<html><p>ad")
    try program.file("ads/plain/scenario.yaml", "- tap: p\n")
    try program.file("ads/ad.xml", "<VAST version=\"4.0\"></VAST>")
    try program.file("ads/broken.zip", "PK")
    let list = try await program.run("render --recursive --list ads")
    #expect(
      list.output == """
        ad            vast      banner 300x250
        Acme_300x250  fragment  banner 300x250, from its name
        broken        error: ads/broken.zip isn't a readable zip: Not a zip archive [zip-broken]
        plain         folder    banner 320x50, as its size is unknown, with its own scenario
        styled        folder    banner 728x90, from its body's style, device desktop as no phone has room for 728x90

        4 creatives on iphone-15

        """, "\(list.output)")
    #expect(list.code == 1)
    #expect(!FileManager.default.fileExists(atPath: program.folder + "/galley-out"))
  }

  @Test func `a result is told when it comes and what fails is told once`() async throws {
    for name in ["a", "b", "fail-c"] { try program.file("\(name).html") }
    let outcome = try await program.run("render a.html b.html fail-c.html none.html --jobs 1")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("none.html") && lines[1].contains("[file-missing]"), "\(outcome.output)")
    #expect(outcome.output.matches(of: /expectation-failed/).count == 1)
    #expect(outcome.code == 2)
  }
}
