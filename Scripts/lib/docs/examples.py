"""Examples of each command: what to write, and what for. The check of the docs holds their options to the program."""

EXAMPLES = {
    'render': [
        ('galley render banner.html', 'one file on the default phone'),
        ('galley render --recursive creatives --out proofs', 'every creative below a folder'),
        ('galley render campaign.zip --device pixel-8 --placement interstitial', 'a zip, full screen on another phone'),
        ('galley render creative/ --filmstrip 0.5 --filmstrip-length 15', 'fifteen seconds of an animated ad'),
    ],
    'check': [
        ('galley check banner.zip', 'the rules of the IAB'),
        ('galley check creatives --recursive --profile all --html report.html', 'every network, and a page for people'),
        ('galley check creative/ --explore', 'what taps lead to as well'),
    ],
    'checks': [
        ('galley checks', 'all checks'),
        ('galley checks rejected-resize', 'why one matters and what to do'),
    ],
    'report': [('galley report proofs --junit junit.xml --sarif findings.sarif', 'after a check, without rendering')],
    'merge-reports': [('galley merge-reports proofs-1 proofs-2 --out proofs', 'what two shards left, as one run')],
    'diff': [
        ('galley diff before.png after.png', 'two pictures'),
        ('galley diff proofs-main proofs-branch --html changes.html', 'two folders, and a page to look at'),
        ('galley diff before.png after.png --ignore 0,0,320,20 --max-ratio 0.001', 'without the first 20 rows'),
    ],
    'baseline record': [('galley baseline record creatives/*', 'keeps what has no baseline yet')],
    'baseline verify': [('galley baseline verify creatives/* --html changes.html', 'renders and compares')],
    'baseline approve': [
        ("galley baseline approve 'summer-*'", 'creatives by a pattern'),
        ('galley baseline approve expand:002-expanded', 'one picture of one creative'),
    ],
    'baseline list': [('galley baseline list creatives/*', 'what is recorded, and what drew it')],
    'baseline prune': [('galley baseline prune creatives/* -n', 'only says what would go')],
    'compare-containers': [
        ('galley compare-containers creative/ --container prebid-android --container applovin', 'two SDKs'),
    ],
    'devices': [('galley devices', 'a table'), ('galley devices --json', 'all their data')],
    'containers': [('galley containers', 'every difference and its source')],
    'serve': [
        ('galley serve --port 8080 --data galley-data', 'for this machine only'),
        ('galley serve --host 0.0.0.0 --tokens tokens.json', 'for others, with tokens'),
    ],
    'serve token create': [('galley serve token create ci --file tokens.json --scopes render,read', 'prints it once')],
    'serve token list': [('galley serve token list --file tokens.json', 'names and scopes')],
    'serve token remove': [('galley serve token remove ci --file tokens.json', 'its holder may call no more')],
    'conformance': [
        ('galley conformance', 'every rule of MRAID 3.0'),
        ('galley conformance --section 7 --filter resize', 'some of them'),
    ],
}
