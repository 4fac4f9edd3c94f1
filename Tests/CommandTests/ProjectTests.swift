import Foundation
import Testing

/// The project's file, lists of what would be rendered, and findings that many creatives share.
@Suite struct ProjectTests {
  private let program: GalleyProgram

  init() throws { program = try GalleyProgram() }

  @Test func `the file beside the creatives has options for every command`() async throws {
    try program.file("ads/one.html")
    try program.file("ads/steps.yaml", "size: 468x60\nsteps:\n  - tap: p\n")
    try program.file("ads/galley.yaml", "options:\n  size: 300x250\n  seed: 7\n  renders: 3\n  offline: true\n")
    let plain = try await program.run("render --list ads/one.html")
    #expect(plain.output.contains("banner 300x250\n") && plain.code == 0, "\(plain.output)")
    #expect(plain.errors == "ads/galley.yaml: --size=300x250 --seed=7 --offline\n")
    let said = try await program.run("render --size 728x90 --list ads/one.html --network none")
    #expect(said.output.contains("banner 728x90\n"))
    #expect(said.errors == "ads/galley.yaml: --seed=7\n")
    let other = try await program.run("check --placement interstitial --list --json ads/one.html")
    #expect(other.errors.isEmpty && other.output.contains("\"interstitial\""))
  }

  @Test func `paths in it start from its folder, and devices go to commands that take several`() async throws {
    try program.file("ads/one.html")
    try program.file("ads/steps.yaml", "size: 468x60\nsteps:\n  - tap: p\n")
    try program.file("ads/galley.yaml", "devices: [pixel-8, iphone-15]\noptions:\n  scenario: steps.yaml\n")
    let list = try await program.run("render --list ads/one.html")
    #expect(list.output.contains("banner 468x60\n"), "\(list.output)\(list.errors)")
    #expect(list.output.hasSuffix("1 creative on pixel-8, iphone-15: 2 renders\n"))
    let one = try await program.run("render --list ads/one.html --screen 400x800@2")
    #expect(one.output.hasSuffix("1 creative on 400x800@2\n"))
    #expect(!one.errors.contains("--device"))
    let compared = try await program.run("compare-containers ads/one.html --out compared --container applovin")
    #expect(compared.errors.contains("this command takes one"))
  }

  @Test(arguments: [
    ("options:\n  sise: 300x250\n", "no command has the option 'sise'; did you mean size?"),
    ("options:\n  size: 300\n", "galley.yaml: --size: '300' is no size"),
    ("options:\n  json: true\n", "only a call itself says --json"),
    ("options:\n  --size: 300x250\n", "galley.yaml:2: an option is written without hyphens"),
    ("options:\n  size: {a: 1}\n", "galley.yaml:2: the option size must be text"),
    ("option:\n  size: 1\n", "did you mean options?"),
  ]) func `what is wrong in it is told of the file`(text: String, part: String) async throws {
    try program.file("one.html")
    try program.file("galley.yaml", text)
    let outcome = try await program.run("render one.html")
    #expect(outcome.code == 2 && outcome.errors.contains(part), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
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
        Acme_300x250  fragment  banner 300x250, as its name says
        broken        error: ads/broken.zip is no readable zip: Not a zip archive [zip-broken]
        plain         folder    banner 320x50, as nothing says its size, with its own scenario
        styled        folder    banner 728x90, as its body is styled

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
