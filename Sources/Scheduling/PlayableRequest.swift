internal import Application
internal import Checks
internal import Core
internal import RenderModel

extension RenderRequest {
  /// Names of the profiles that the checks apply: the request's, else the default.
  package var checkedProfiles: [String] {
    guard profiles.isEmpty else { return profiles }
    return playables == true ? [Profile.Group.playables.name] : ProfileCatalogue.defaultNames
  }

  /// Returns the renders of a playable in the networks' hosts; empty for other requests.
  ///
  /// The first one has the folder of the request's result, so that it represents the playable.
  func hosts(of job: RenderJob) throws(Fault) -> [PlayableRender] {
    guard playables == true else { return [] }
    let profiles = try ProfileCatalogue.standard.named(checkedProfiles)
    var hosts = PlayableRender.all(of: job, build: name, profiles, names: [name])
    if !hosts.isEmpty { hosts[0].job.output = job.output }
    return hosts
  }
}
