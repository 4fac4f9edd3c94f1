// A stub of the kind that creative builders leave in their bundles.
window.fakeBridgeRan = true;
window.mraid = {
  getState: function () { throw new Error('the fake bridge ran'); },
  addEventListener: function () { throw new Error('the fake bridge ran'); }
};
throw new Error('the fake bridge ran');
