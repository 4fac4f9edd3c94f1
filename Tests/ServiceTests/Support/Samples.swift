import ServiceStore

extension NewRender {
  /// A render that differs from others in what is given.
  static func sample(
    _ id: String, owner: String = "a", created: Int64 = 1000, name: String = "banner", key: String? = nil,
    fingerprint: String = "f"
  ) -> NewRender {
    NewRender(
      id: id, name: name, content: "c-\(id)", request: "{}", owner: owner, created: created,
      idempotency: key.map { Idempotency(key: $0, fingerprint: fingerprint) })
  }
}

extension Ending {
  static func completed(at instant: Int64) -> Ending { Ending(status: .completed, finished: instant) }
}

extension Ending.Message {
  /// To an address of a receiver.
  static func sample(_ id: String, address: String? = nil, receiver: String = "example.com") -> Ending.Message {
    Ending.Message(id: id, address: address ?? "https://\(receiver)/", receiver: receiver, body: "{}")
  }
}
