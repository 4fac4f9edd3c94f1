internal import Checks
internal import FoundationEssentials
internal import Jobs
internal import ServiceStore

/// What an address is told of a render that ended: where it stands, not what came of it.
struct HookBody {
  private struct Document: Encodable {
    let type: String
    let timestamp: String
    let data: Facts
  }
  private struct Facts: Encodable {
    let id: String
    let status: RenderStatus
    let name: String
    let code: String?
    let verdict: String?
    let url: String
  }

  let id: String
  let text: String

  /// `base` is what others know the server by; without one the render's address is relative.
  init(_ row: RenderRow, ending: Ending, base: PublicAddress?) {
    id = "msg_" + RenderID.make(at: ending.finished)
    let facts = Facts(
      id: row.id, status: ending.status, name: row.name, code: ending.fault?.code,
      verdict: RenderSummary.read(ending.summary)?.verdict?.status.rawValue,
      url: "\(base?.text ?? "")/v1/renders/\(row.id)")
    let document = Document(type: "render.ended", timestamp: Instant.text(ending.finished), data: facts)
    text = (try? JSONText.of(document)) ?? "{}"
  }

  /// What is sent to an address.
  func message(to address: String) -> Ending.Message {
    let host = URL(string: address)?.host(percentEncoded: false)?.lowercased()
    return Ending.Message(id: id, address: address, receiver: host ?? address, body: text)
  }
}
