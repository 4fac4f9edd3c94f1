"""Private addresses, however spelled and by whatever way, with the network open to public addresses only."""

from lib.attack import network, ways

# Of this machine, of private networks, of clouds' metadata, in every spelling that a parser may take for an address.
SPELLINGS = [
    "http://127.0.0.1", "http://127.1", "http://127.0.1", "http://2130706433", "http://0x7f000001", "http://0x7f.1",
    "http://0177.0.0.1", "http://0177.1", "http://127.000.000.001", "http://127.0.0.1.", "http://localhost",
    "http://LOCALHOST", "http://localhost.", "http://sub.localhost", "http://0", "http://0.0.0.0", "http://00.0.0.0",
    "http://[::1]", "http://[0:0:0:0:0:0:0:1]", "http://[::]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]",
    "http://[::127.0.0.1]", "http://[64:ff9b::7f00:1]", "http://[64:ff9b::127.0.0.1]", "http://[2002:7f00:1::]",
    "http://[2001::7f00:1]", "http://[fe80::1]", "http://[fc00::1]", "http://[fd12:3456::1]", "http://[ff02::1]",
    "http://[fec0::1]", "http://[::ffff:10.0.0.1]", "http://[::ffff:0:127.0.0.1]", "http://127.0.0.1:7001",
    "http://127.0.0.2", "http://127.255.255.254", "http://10.0.0.1", "http://10.255.255.255", "http://172.16.0.1",
    "http://172.31.255.255", "http://192.168.0.1", "http://192.168.255.254", "http://169.254.169.254",
    "http://169.254.0.1", "http://100.64.0.1", "http://100.127.255.255", "http://192.0.0.1", "http://192.0.2.1",
    "http://198.18.0.1", "http://198.51.100.1", "http://203.0.113.1", "http://224.0.0.1", "http://239.1.1.1",
    "http://240.0.0.1", "http://255.255.255.255", "http://①②⑦.⓪.⓪.①", "http://127。0。0。1", "http://127.0.0.1%2f",
    "http://%31%32%37.0.0.1", "http://user:word@127.0.0.1", "http://public.test@127.0.0.1", "http://127.0.0.1:80:80",
    "http:\\\\127.0.0.1", "http:/127.0.0.1", "http:127.0.0.1", "http://127.0.0.1\t", "http://127.0.0.1#@public.test",
    "http://127.0.0.1?@public.test", "HTTP://127.0.0.1", "https://127.0.0.1", "//127.0.0.1", "//[::1]:7001",
    "http://host.private.test", "http://a.b.private.test:7001", "http://sub.turning.test", "https://host.private.test",
]
QUICK = [SPELLINGS[at] for at in (3, 20, 43, -4)]


def attack(galley, folder, tally, quick, random):
    spellings = QUICK if quick else SPELLINGS
    with network.counted(redirecting) as counter:
        control(galley, folder / "control", tally, counter)
        from_disk(galley, folder / "disk", spellings, tally, counter)
        from_pages(galley, folder / "pages", spellings if not quick else spellings[:1], tally, counter)


def redirecting(host, path):
    """A public host that sends on to what its path names."""
    if path.startswith("/to?"):
        return "302 Found", {"location": path[4:]}, b""
    if path.startswith("/page?"):
        return "200 OK", {"content-type": "text/html"}, ways.page(path[6:]).encode()
    return None


def control(galley, folder, tally, counter):
    """With an open network the same page is counted, or else nothing here would mean anything."""
    made = ways.creatives(folder / "creatives", 0, "http://127.0.0.1")
    galley.render(made, "--network", "any", "--send-beacons", "--out", folder / "out")
    connections, _ = counter.take()
    reached = len({line for _, _, line in connections})
    tally.note(f"control: {reached} requests by ways that work with an open network")
    tally.check(reached > 15, f"control: only {reached} requests reached an open network")


def from_disk(galley, folder, spellings, tally, counter):
    made = [each for number, address in enumerate(spellings)
            for each in ways.creatives(folder / "creatives", number, address)]
    galley.render(made, "--network", "public", "--send-beacons", "--follow-clickthroughs", "--out", folder / "out")
    judge(counter, tally, len(spellings) * ways.count(), "from disk")


def from_pages(galley, folder, spellings, tally, counter):
    """From pages of a public host, at once and by a redirect of that host."""
    public = f"http://{network.PUBLIC}"
    pages = [f"{public}/page?{address}" for address in spellings if "#" not in address and "\t" not in address]
    galley.render(pages, "--network", "public", "--out", folder / "out")
    judge(counter, tally, len(pages) * ways.count(hosts=False), "from a page")
    # Not those that ask the host again in words of their own.
    made = [each for number, address in enumerate(spellings)
            for each in ways.creatives(folder / "redirects", number, f"{public}/to?{address}")]
    galley.render(made, "--network", "public", "--send-beacons", "--follow-clickthroughs", "--out",
               folder / "redirected")
    judge(counter, tally, len(spellings) * ways.count(), "by redirect")


def judge(counter, tally, tried, where):
    """Each private connection is one attack that didn't hold; all others held."""
    connections, _ = counter.take()
    wrong = [each for each in connections if each[0] != network.PUBLIC]
    for address, port, line in wrong:
        tally.check(False, f"{where}: {address}:{port} {line}")
    for _ in range(max(0, tried - len(wrong))):
        tally.check(True, "")
