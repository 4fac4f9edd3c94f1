// When Scripts/ builds a release, and when it leaves one alone, with a swift that only writes down what it is asked for.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

const scripts = resolve(import.meta.dirname, "../../Scripts");
const swift = `#!/usr/bin/env bash
if [[ $1 == --version ]]; then echo "Swift version 6.3.1"; exit; fi
[[ $1 == build ]] || exit 1
echo "begun \${GALLEY_WITHOUT-}" >>"$CALLS"
# What goes ahead never gets far.
if [[ \${GALLEY_WITHOUT-} == *system* ]]; then trap 'echo interrupted >>"$CALLS"; exit 1' INT; while :; do read -rt 1 <>"$CALLS.wait"; done; fi
while (( $# )); do case $1 in --package-path) root=$2 ;; --scratch-path) build=$2 ;; esac; shift; done
mkdir -p "$build/release"
touch "$build"/release/{galley,galley-enclosure,galley-worker,galley-fork-client,galley-server,galley-film,galley-recorder}
touch "$build"/release/lib{GalleyClock,GalleyForkServer,GalleyGuard,GalleyWebExtension}.so
printf '{\\n"identity" : "yams",\\n"revision" : "abc"\\n}\\n' >"$root/Package.resolved"
`;
let folder, calls;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "galley setup "));
  calls = join(folder, "calls");
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/swift"), swift);
  chmodSync(join(folder, "bin/swift"), 0o755);
  execFileSync("mkfifo", [`${calls}.wait`]);
  checkout("first");
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Leaves a checkout of the scripts and of one source. */
function checkout(name) {
  const root = join(folder, name);
  cpSync(scripts, join(root, "Scripts"), { recursive: true });
  mkdirSync(join(root, "Sources"));
  writeFileSync(join(root, "Sources/main.swift"), "print(1)\n");
  writeFileSync(join(root, "Package.swift"), "\n");
  return root;
}

/** Runs a line of shell with the set-up at hand. */
function run(name, line = "require_release") {
  const script = `set -euo pipefail; source "$root/Scripts/lib/setup.sh"; ${line}`;
  const environment = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, CALLS: calls, root: join(folder, name) };
  execFileSync("bash", ["-c", script], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
}

/** Carries a build over as a cache of CI does: everything is of now. */
function restore(from, to) {
  cpSync(join(folder, from, ".build"), join(folder, to, ".build"), { recursive: true });
}

const builds = () => existsSync(calls) ? readFileSync(calls, "utf8").split("\n").slice(0, -1) : [];

test("a release is built once", () => {
  run("first");
  run("first");
  assert.deepEqual(builds(), ["begun film,recorder,server,packages"]);
});

test("a source with a newer time and the same contents isn't built again", () => {
  run("first");
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(folder, "first/Sources/main.swift"), later, later);
  run("first");
  assert.equal(builds().length, 1);
});

test("a changed source is built again", () => {
  run("first");
  writeFileSync(join(folder, "first/Sources/main.swift"), "print(2)\n");
  run("first");
  assert.equal(builds().length, 2);
});

test("a build restored in another clone isn't built again, whichever of the two came first", () => {
  run("first");
  checkout("second");
  restore("first", "second");
  run("second");
  checkout("third");
  restore("second", "third");
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(folder, "third/Sources/main.swift"), later, later);
  run("third");
  assert.equal(builds().length, 1);
});

test("a restored build of other sources is built again, and goes on with its versions of packages", () => {
  run("first");
  writeFileSync(join(checkout("second"), "Sources/main.swift"), "print(2)\n");
  restore("first", "second");
  run("second", `build_by() { cat "$root/Package.resolved" >>"$CALLS"; }; require_release`);
  assert.match(readFileSync(calls, "utf8"), /"revision" : "abc"/);
});

test("an edit after a build was restored is built", () => {
  run("first");
  checkout("second");
  restore("first", "second");
  run("second");
  writeFileSync(join(folder, "second/Sources/main.swift"), "print(2)\n");
  run("second");
  run("second");
  assert.equal(builds().length, 2);
});

test("what a cache has lost is built again", () => {
  run("first");
  rmSync(join(folder, "first/.build/release/libGalleyClock.so"));
  run("first");
  assert.equal(builds().length, 2);
});

test("the server is built when it is asked for, and with the rest where that is missing too", () => {
  run("first");
  run("first", "require_release server");
  run("first", "require_release server");
  assert.deepEqual(builds(), ["begun film,recorder,server,packages", "begun film,recorder"]);
  checkout("second");
  run("second", "require_release server film recorder");
  run("second", "require_release server film recorder");
  assert.deepEqual(builds().slice(2), ["begun "]);
});

test("what was begun ahead ends before the build, and when there is no build to come", () => {
  const began = `begin_build; until [[ -s $CALLS ]]; do :; done`;
  run("first", `${began}; require_release`);
  run("first", `rm "$CALLS"; ${began}`);
  assert.deepEqual(builds(), ["begun film,recorder,server,packages,system", "interrupted"]);
});

/** Calls Scripts/galley without anything built; what it prints. */
function call(...words) {
  cpSync(resolve(scripts, "../docs/reference/commands"), join(folder, "first/docs/reference/commands"), { recursive: true });
  const environment = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, CALLS: calls };
  return execFileSync(join(folder, "first/Scripts/galley"), words, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

test("help builds and installs nothing, whatever it is about", () => {
  const about = { serve: "--data <folder>", "compare-networks": "--without-hosts <number>", film: "--rate", "--help": "galley render" };
  for (const [word, wanted] of Object.entries(about)) {
    assert.ok(call(...new Set([word, "--help"])).includes(wanted), word);
    assert.deepEqual(builds(), [], word);
    assert.equal(existsSync(join(folder, "first/.build")), false, word);
  }
  assert.ok(call("help", "baseline").includes("GALLEY BASELINE APPROVE"));
  const part = call("baseline", "verify", "-h");
  assert.ok(part.includes("GALLEY BASELINE VERIFY") && !part.includes("GALLEY BASELINE APPROVE"));
  assert.deepEqual(builds(), []);
});
