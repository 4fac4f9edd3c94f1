import Testing
import VAST

@Suite("Macros in an address")
struct VASTMacroTests {
  private let macros = VASTMacros(["ERRORCODE": "403", "ASSETURI": "https://a.example/x y?b=ü", "VASTVERSIONS": "2,3"])

  @Test(
    "are replaced by percent-encoded values",
    arguments: [
      ("https://e.example/?c=[ERRORCODE]", "https://e.example/?c=403"),
      ("[ASSETURI]", "https%3A%2F%2Fa.example%2Fx%20y%3Fb%3D%C3%BC"),
      ("v=[VASTVERSIONS]", "v=2,3"),
      ("[ERRORCODE][ERRORCODE]", "403403"),
      ("no macro", "no macro"),
    ])
  func replaced(address: String, result: String) { #expect(macros.replaced(in: address) == result) }

  @Test("of the standard that nobody knows the value of are -1")
  func unknown() { #expect(macros.replaced(in: "[LATLONG]&[IFA]") == "-1&-1") }

  @Test(
    "that aren't the standard's stay as they are, and so does what only looks like one",
    arguments: ["a[0]=1", "[FOO]", "[ERRORCODE", "]", "[[", "http://[::1]:80/"])
  func others(address: String) { #expect(macros.replaced(in: address) == address) }

  @Test("are found inside other brackets")
  func nested() { #expect(macros.replaced(in: "a[x[ERRORCODE]]") == "a[x403]") }

  @Test("that differ from run to run can be left in place")
  func leaving() {
    var macros = macros
    macros.values["TIMESTAMP"] = "2026"
    #expect(
      macros.replaced(in: "[TIMESTAMP]/[ERRORCODE]", leaving: VASTMacros.volatile) == "[TIMESTAMP]/403")
  }

  @Test("none of the standard's error codes is there twice, and all lie between 100 and 902")
  func codes() {
    let codes = VASTErrorCode.allCases.map(\.rawValue)
    #expect(codes == codes.sorted())
    #expect(Set(codes).count == 38)
    #expect(codes.first == 100 && codes.last == 902)
  }
}
