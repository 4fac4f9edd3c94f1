// What a careless bundle ships: a bridge of its own. No container may let it run.
window.ranOwnCopy = true;
window.mraid = { isOwnCopy: true, getState: function () { return 'default'; }, addEventListener: function () {} };
