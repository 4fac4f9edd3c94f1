// What Playwright's unit tests of its clock ask for: clocks that they make themselves.
function makeUnitClock(epoch) {
  const clock = makeClock(epoch);
  for (const name of ["install", "setSystemTime", "fastForward", "pauseAt", "resume", "uninstall", "tick", "setFixedTime"]) {
    clock[name] = control;
  }
  return clock;
}
const [global, setImmediate, rawCreateClock, rawInstall] = [window, control, control, control];
const given = () => ({
  clock: makeUnitClock(), now: undefined, page: null, get installEx() { return control(); },
  install(epoch = 0) {
    const clock = makeUnitClock(epoch);
    install(clock, epoch);
    return clock;
  },
});
