package import Checks
package import Core
internal import Creatives
internal import Exploration
internal import MRAID
package import RenderModel

extension BatchPlan {
  /// Returns the plan with each creative once for each host of the networks, in subfolders of the creative's.
  package func crossed(withHostsOf profiles: [Profile]) throws(Fault) -> BatchPlan {
    var crossed = self
    crossed.items = []
    for item in items {
      guard case .render(let job) = item.work else {
        var refused = item
        let asked = PlayableAsk(names: PlayableAsk.names(in: item.name)).asked(among: profiles)
        refused.trial = PlayableTrial(build: item.name, profiles: profiles, asked: asked)
        crossed.items.append(refused)
        continue
      }
      for render in PlayableRender.all(of: job, build: item.name, profiles) {
        var other = render.job
        other.id = crossed.items.count
        try ResultFolder(other.output).prepare()
        crossed.items.append(
          Item(name: render.name, work: .render(other), position: item.position, trial: render.trial))
      }
    }
    return crossed
  }
}

/// Render of a playable's build in one host.
package struct PlayableRender: Sendable {
  /// Name of the result: that of the build and of the host.
  package let name: String
  /// Job with the host's container, in a subfolder of the build's folder.
  package var job: RenderJob
  package let trial: PlayableTrial

  /// Returns the renders of a build in the hosts of networks, in the networks' order.
  ///
  /// - Parameter names: names that decide before the code which networks have to accept the build; nil for its path.
  package static func all(
    of job: RenderJob, build: String, _ profiles: [Profile], names: [String]? = nil
  ) -> [PlayableRender] {
    let asked = PlayableAsk(job.creative, names: names).asked(among: profiles)
    return PlayableHost.all(of: profiles).map { host in
      PlayableRender(
        name: "\(build)/\(host.container.name)", job: host.job(job),
        trial: PlayableTrial(build: build, profiles: host.profiles, asked: asked))
    }
  }
}

/// Container in which playables of some networks run.
private struct PlayableHost {
  let container: ContainerProfile
  private(set) var profiles: [Profile]

  /// Returns the hosts of networks in the networks' order, each once.
  static func all(of profiles: [Profile]) -> [PlayableHost] {
    var hosts: [PlayableHost] = []
    for profile in profiles {
      let container = container(of: profile)
      if let index = hosts.firstIndex(where: { $0.container.name == container.name }) {
        hosts[index].profiles.append(profile)
      } else {
        hosts.append(PlayableHost(container: container, profiles: [profile]))
      }
    }
    return hosts
  }

  /// Returns the network's own container: the one that its profile names, else the one of its name, else the standard's.
  private static func container(of profile: Profile) -> ContainerProfile {
    ContainerCatalogue.standard.container(named: profile.container ?? profile.id) ?? .spec
  }

  /// Returns a creative's job in this host.
  func job(_ job: RenderJob) -> RenderJob {
    var job = job
    job.output += "/\(container.name)"
    job.container = container.differences.isEmpty ? nil : container
    job.show(in: job.container)
    return job
  }
}

extension PlayableAsk {
  /// Reads a build's names, unless they are given, and its code; code that can't be read speaks to no network.
  init(_ creative: CreativeReference, names: [String]? = nil) {
    let bundle = try? CreativeBundle.open(creative, digests: false)
    let networks = bundle.flatMap { bundle in try? Inspection.networks(of: bundle) } ?? []
    let path = [creative.path ?? creative.argument, creative.inner].compactMap(\.self).joined(separator: "/")
    self.init(
      names: names ?? Self.names(in: path), containers: Set(networks.map(\.container)),
      usesMRAID: CreativeMRAIDUsage.read(creative)?.named.isEmpty == false)
  }

  /// Returns the last two components of a path, the nearest first.
  static func names(in path: String) -> [String] { path.split(separator: "/").suffix(2).reversed().map(String.init) }
}
