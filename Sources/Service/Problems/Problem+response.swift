internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import NIOCore

extension Problem {
  /// The whole response.
  var response: Response {
    var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if status == 401 { headers[.wwwAuthenticate] = "Bearer realm=\"galley\"" }
    let text = (try? JSONText.of(ProblemDocument(self))) ?? "{}"
    return Response(
      status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
