import Testing

@testable import Core

@Suite struct FaultCodeTests {
  @Test(arguments: FaultCode.allCases) func everyNamedCodeHasAMeaning(code: FaultCode) {
    #expect(ErrorCodes.meanings.contains { $0.code == code.rawValue })
    #expect(Fault.engine(code, "x").has(code))
    #expect(!Fault.engine("another-code", "x").has(code))
  }
}
