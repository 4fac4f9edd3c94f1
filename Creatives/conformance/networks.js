// Finds the functions that ad networks put into a playable's page, and notes at once which ones its first script has.
(function () {
  'use strict';
  var names = [
    '$sf', 'ExitApi', 'FbPlayableAd', 'MRAID_ENV', 'NUC', 'TJ_API', 'clickTag', 'dapi', 'gameEnd', 'gameReady',
    'gameRetry', 'install', 'mraid', 'openAppStore', 'playableSDK', 'smxTracking'
  ];

  // Paths of the functions below a member, or the path of any other value; nothing if there is none.
  function paths(path, value) {
    if (value === undefined) return [];
    if (typeof value !== 'object' || value === null) return [path];
    return [].concat.apply([], Object.keys(value).sort().map(function (key) {
      return paths(path + '.' + key, value[key]);
    }));
  }

  function find() {
    return [].concat.apply([], names.map(function (name) { return paths(name, window[name]); }));
  }

  window.networks = { find: find, first: find() };
})();
