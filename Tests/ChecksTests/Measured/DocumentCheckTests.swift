import Jobs
import MRAID
import Testing

@testable import Checks

@Suite("Judging documents")
struct DocumentCheckTests {
  typealias Given = MeasuredEvidence

  private func evidence(_ document: DocumentAudit, kind: String = "html", events: [Event] = []) -> Evidence {
    Given.of(Given.measured(document: document), kind: kind, events: events)
  }

  @Test("language and title are a document's affair, not a fragment's")
  func fragments() throws {
    let silent = DocumentAudit(lettering: [.init(element: Given.element("text", "p"), size: 12)])
    #expect(try Check.missingLanguage.messages(evidence(silent))?.count == 1)
    #expect(try Check.missingTitle.messages(evidence(silent))?.count == 1)
    #expect(try Check.missingLanguage.messages(evidence(silent, kind: "fragment")) == nil)
    #expect(try Check.missingTitle.messages(evidence(silent, kind: "fragment")) == nil)
    #expect(try Check.missingLanguage.messages(evidence(DocumentAudit(language: "en", title: "Ad"))) == [])
  }

  @Test("each kind without a name has its check, and an element is told once")
  func names() throws {
    let kinds = ["image", "link", "control", "frame"]
    let document = DocumentAudit(unnamed: kinds.flatMap { [Given.element($0, "a#x"), Given.element($0, "a#x")] })
    for check in [Check.unnamedImage, .unnamedLink, .unnamedControl, .unnamedFrame] {
      let remarks = try #require(try check.judge(evidence(document)))
      #expect(remarks.count == 1, "\(check.id)")
      #expect(remarks.first?.screenshot == "001-default")
    }
  }

  @Test("a close button is measured by whether the ad speaks MRAID")
  func closeSize() throws {
    let document = DocumentAudit(
      closeControls: [.init(element: Given.element("close", "button#x", width: 30), contrast: 2.5)])
    let call = Event(seq: 0, t: 0, source: .creative, name: "expand")
    #expect(try Check.smallClose.messages(evidence(document)) == [])
    #expect(
      try Check.smallClose.messages(evidence(document, events: [call])) == ["the close button button#x is 30×30 dip"])
    #expect(
      try Check.faintClose.messages(evidence(document)) == ["the close button button#x has a contrast of 2.5 to 1"])
    #expect(try Check.smallClose.messages(evidence(DocumentAudit())) == nil)
  }

  @Test("overflow counts where a finger can scroll there")
  func overflow() throws {
    let still = DocumentAudit(overflow: .init(x: 90, y: 40, scrolls: false))
    #expect(try Check.overflow.messages(evidence(still)) == [])
    let loose = DocumentAudit(overflow: .init(x: 0.5, y: 40, scrolls: true))
    #expect(
      try Check.overflow.messages(evidence(loose)) == [
        "in state default the page reaches 40 dip below beyond its 300x250"
      ])
  }

  @Test("a border is missed on a white or black edge only")
  func border() throws {
    func messages(_ surface: SurfaceAudit) throws -> [String]? {
      try Check.missingBorder.messages(Given.of(Given.measured(surface: surface)))
    }
    #expect(try messages(SurfaceAudit(isBlank: false, hasBorder: false, whiteEdge: 0.9, blackEdge: 0))?.count == 1)
    #expect(try messages(SurfaceAudit(isBlank: false, hasBorder: true, whiteEdge: 0.9, blackEdge: 0)) == [])
    #expect(try messages(SurfaceAudit(isBlank: false, hasBorder: false, whiteEdge: 0.3, blackEdge: 0.2)) == [])
    #expect(try messages(SurfaceAudit(isBlank: true, hasBorder: false, whiteEdge: 1, blackEdge: 0)) == nil)
  }

  @Test(
    "ad.size is held against what the ad draws and where it is shown",
    arguments: [
      ("width=300,height=250", Rect(x: 0, y: 0, width: 300, height: 250), nil),
      ("width=300,height=250", Rect(x: -40, y: 10, width: 380, height: 200), nil),
      (
        "width=250,height=300", Rect(x: 0, y: 0, width: 300, height: 250),
        "ad.size says 250x300, and the ad draws 300x250"
      ),
      (
        "width=320,height=50", Rect(x: 0, y: 0, width: 300, height: 250),
        "ad.size says 320x50, and the ad draws 300x250"
      ),
      (
        "width=728,height=90", Rect(x: 0, y: 0, width: 900, height: 80),
        "ad.size says 728x90, and the ad is shown in 300x250"
      ),
      (
        "300 by 250", Rect(x: 0, y: 0, width: 300, height: 250),
        "ad.size says \"300 by 250\", which isn't width=…,height=…"
      ),
    ] as [(String, Rect, String?)])
  func adSize(content: String, drawn: Rect, says: String?) throws {
    var evidence = evidence(DocumentAudit(drawn: drawn))
    evidence.inventory = Inventory(
      kind: "html", name: "ad.html",
      files: [.init(path: "index.html", text: "<meta content=\"\(content)\" name='ad.size'><p>Ad")])
    #expect(try Check.wrongSizeMeta.messages(evidence) == (says.map { [$0] } ?? []))
  }

  @Test("without ad.size, or in a comment, there is no size to be wrong")
  func noSize() throws {
    var evidence = evidence(DocumentAudit(drawn: Rect(x: 0, y: 0, width: 300, height: 250)))
    for text in ["<p>Ad", "<!-- <meta name=\"ad.size\" content=\"width=1,height=1\"> -->"] {
      evidence.inventory = Inventory(kind: "html", name: "ad.html", files: [.init(path: "index.html", text: text)])
      #expect(try Check.wrongSizeMeta.messages(evidence) == nil)
    }
  }

  @Test("a placeholder that is to be read is worse than one in an address that a server knows")
  func placeholders() throws {
    func element(_ kind: String, _ text: String) -> DocumentAudit.Element {
      .init(kind: kind, selector: "p", text: text, frame: Rect(x: 0, y: 0, width: 9, height: 9))
    }
    let document = DocumentAudit(placeholders: [
      element("text", "Hello {{ first_name }}, save ${amount} on [AD]"),
      element("link", "%%CLICK_URL_UNESC%%https://a.example/?x=%5BWHO%5D"),
    ])
    let remarks = try #require(
      try Check.unfilledMacro.judge(
        evidence(document, events: [Event(seq: 0, t: 0, source: .page, name: "loadFinished")])))
    #expect(
      remarks.map(\.message) == [
        "p says {{ first_name }}", "p says ${amount}",
        "the link p goes to an address with %%CLICK_URL_UNESC%%, which Google Ad Manager fills in when it serves the ad",
        "the link p goes to an address with [WHO]",
      ])
    #expect(remarks.map(\.severity) == [.error, .error, .note, nil])
  }
}
