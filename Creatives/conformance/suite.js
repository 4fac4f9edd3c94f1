// Runs one creative's assertions in whatever container shows it. Each is a line of TAP on the console and a green or red
// line on the page. How many there are stands in the page's metadata and is printed first, so that a page that
// breaks off has failed. A second part has `galley.first`, the number its assertions begin with, and prints no plan.
(function () {
  'use strict';
  var first = Number(meta('first'));
  var number = (first || 1) - 1;
  var list = document.createElement('ol');
  var finish;

  function meta(name) {
    var element = document.querySelector('meta[name="galley.' + name + '"]');
    return element ? element.content : '';
  }

  function report(passed, what, found) {
    number += 1;
    console.log((passed ? 'ok ' : 'not ok ') + number + ' - ' + what + (passed ? '' : '\n# ' + found));
    draw((passed ? '✓ ' : '✗ ') + what, passed ? '#0a6b2d' : '#b00020');
  }

  function draw(text, color) {
    var line = document.createElement('li');
    line.textContent = text;
    line.style.color = color;
    list.appendChild(line);
  }

  // JSON with its keys sorted, and with what JSON can't say.
  function text(value) {
    if (value === undefined || value !== value) return String(value);
    if (typeof value === 'function') return 'a function';
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return '[' + value.map(text).join(',') + ']';
    return '{' + Object.keys(value).sort().map(function (key) { return key + ':' + text(value[key]); }).join(',') + '}';
  }

  var t = {
    // Asserts that something holds.
    check: function (holds, what) { report(!!holds, what, 'it is not so'); },

    // Asserts that a value is what it should be, compared through and through.
    equal: function (found, expected, what) {
      report(text(found) === text(expected), what, 'expected ' + text(expected) + ', found ' + text(found));
    },

    // Keeps what these events bring from now on, each as [event, argument, …].
    listen: function () {
      var log = [];
      Array.prototype.forEach.call(arguments, function (event) {
        mraid.addEventListener(event, function () { log.push([event].concat(Array.prototype.slice.call(arguments))); });
      });
      return log;
    },

    // Waits until something holds, four seconds at most; says whether it does.
    until: function (holds) {
      var end = Date.now() + 4000;
      return new Promise(function (done) {
        (function look() {
          if (holds() || Date.now() > end) done(!!holds()); else setTimeout(look, 5);
        })();
      });
    },

    // Waits for the page's load event, which may be over. A timer would come before or after what the host does then.
    loaded: function () {
      return new Promise(function (done) {
        if (document.readyState === 'complete') done(); else addEventListener('load', function () { done(); });
      });
    },

    // Waits for `ready`, which may have come.
    ready: function () {
      return new Promise(function (done) {
        if (mraid.getState() === 'loading') mraid.addEventListener('ready', function () { done(); }); else done();
      });
    },

    // Waits for a state.
    state: function (name) { return t.until(function () { return mraid.getState() === name; }); },

    // Waits until the user touches the ad's button `go` or another, for hosts without an event that tells that time has
    // passed.
    touched: function (id) {
      return new Promise(function (done) {
        document.getElementById(id || 'go').addEventListener('click', function () { done(); });
      });
    },

    // Waits until the host has handled every call made before: what a new listener is told comes after them all.
    // A host that no longer answers is given so many milliseconds.
    handled: function (patience) {
      return new Promise(function (done) {
        var timer = setTimeout(heard, patience || 4000);
        function heard() {
          clearTimeout(timer);
          mraid.removeEventListener('audioVolumeChange', heard);
          done();
        }
        mraid.addEventListener('audioVolumeChange', heard);
      });
    }
  };

  window.suite = function (body) {
    if (!first) console.log('1..' + meta('plan'));
    list.style.cssText = 'margin:4px;padding:0;list-style:none;font:11px/1.3 sans-serif';
    document.body.appendChild(list);
    document.body.style.cssText = 'margin:0;background:#f1f4fb';
    draw(meta('rule') || document.title, '#222');
    body(t).catch(function (error) {
      console.log('Bail out! ' + error);
      draw('✗ ' + error, '#b00020');
    }).then(finish);
  };
  window.suite.finished = new Promise(function (done) { finish = done; });
})();
