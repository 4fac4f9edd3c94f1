import Foundation
import HTTPTypes
import HummingbirdCore
import Jobs
import Testing

@testable import Service

@Suite struct ProblemTests {
  @Test(arguments: [
    (Fault.request("a", ""), 400), (.creative("a", ""), 422), (.deadline("a", ""), 504), (.engine("a", ""), 500),
    (.engine("disk-full", ""), 507),
  ])
  func saysWhoseFaultItIsByItsStatus(fault: Fault, status: Int) {
    #expect(Problem(fault).status == status)
  }

  @Test func isAProblemDocument() throws {
    let problem = Problem.invalid([Problem.Field("a/b~", "is wrong")])
    let data = try JSONEncoder().encode(ProblemDocument(problem))
    let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(members["type"] as? String == "urn:galley:problem:request-invalid")
    #expect(members["title"] as? String == "Request invalid")
    #expect(members["status"] as? Int == 422)
    #expect(members["code"] as? String == "request-invalid")
    #expect(members["blame"] as? String == "request")
    #expect((members["errors"] as? [[String: String]])?.first?["pointer"] == "/a~1b~0")
  }

  @Test func tellsWhenToComeBackAndWhatToShow() {
    let busy = Problem(429, "queue-full", "full", retryAfter: 7).response
    #expect(busy.headers[.retryAfter] == "7")
    #expect(busy.headers[.contentType] == "application/problem+json")
    #expect(Problem(401, "token-missing", "").response.headers[.wwwAuthenticate] == "Bearer realm=\"galley\"")
  }

  @Test(arguments: [
    ("wait=10", 10), ("respond-async, wait=\"5\"", 5), ("wait=9999", 120), ("wait=0", nil), ("wait=-1", nil),
    ("wait=x", nil), ("", nil),
  ])
  func waitsAsLongAsTheClientPrefers(text: String, expected: Int?) {
    #expect(Preference(text).wait == expected)
  }
}
