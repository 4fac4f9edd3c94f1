import Testing

@testable import Service

@Suite struct CurlReportTests {
  @Test(arguments: [
    (0, "200 000 "), (0, "204 200 "),
    // The answer was taken, only its end never came.
    (28, "202 000 Operation timed out"), (18, "200 000 transfer closed"),
  ])
  func believesAStatus(exit: Int32, output: String) {
    #expect(CurlReport(exit: exit, output: output).problem == nil)
  }

  @Test(arguments: [
    (0, "302 000 ", "it answered 302"), (0, "500 000 ", "it answered 500"), (28, "503 000 x", "it answered 503"),
    (56, "000 403 CONNECT tunnel failed, response 403", "the proxy answered 403"),
    (28, "100 000 Operation timed out after 15000 ms", "it didn't answer in time: Operation timed out after 15000 ms"),
    (
      60, "000 000 SSL certificate problem: self-signed certificate",
      "its certificate was refused: SSL certificate problem: self-signed certificate"
    ),
    (52, "000 000 ", "it hung up without an answer"), (47, "000 000 ", "curl failed with 47"),
    (2, "", "curl failed with 2"),
  ])
  func tellsWhatWentWrong(exit: Int32, output: String, problem: String) {
    #expect(CurlReport(exit: exit, output: output).problem == problem)
  }
}
