internal import Jobs
internal import MRAID
internal import Stage
internal import Workers

extension BatchPlan {
  /// The same creatives once for each device, in folders of their own below the creative's; one device changes nothing.
  func crossed(with devices: [Device]) throws(Fault) -> BatchPlan {
    guard devices.count > 1 else { return self }
    var crossed = BatchPlan(out: out, items: [], withOwnScenario: withOwnScenario)
    for item in items {
      guard case .render(let job) = item.work else {
        crossed.items.append(item)
        continue
      }
      for device in devices {
        var other = job
        other.id = crossed.items.count
        other.device = device
        other.output = "\(job.output)/\(device.name)"
        try ResultFolder(other.output).prepare()
        crossed.items.append(Item(name: "\(item.name)/\(device.name)", work: .render(other)))
      }
    }
    return crossed
  }
}
