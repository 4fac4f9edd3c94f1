"""With the network off nothing is connected to and no name is asked for, not this machine's either."""

from lib.attack import network, ways
from lib.attack.family_reach import QUICK, SPELLINGS

NAMES = ["http://secret.evil.test", "https://secret.evil.test", "http://127.secret.evil.test", "http://localhost:7001",
         "http://10.secret.evil.test", "//secret.evil.test", "http://0x7f.secret.test", f"http://{network.PUBLIC}"]


def attack(galley, folder, tally, quick, random):
    spellings = [*NAMES[1:4], *QUICK[:1]] if quick else NAMES + SPELLINGS
    with network.counted() as counter:
        made = [each for number, address in enumerate(spellings)
                for each in ways.creatives(folder / "creatives", number, address)]
        galley.render(made, "--network", "none", "--send-beacons", "--follow-clickthroughs", "--out",
                      folder / "out")
        connections, names = counter.take()
    wrong = [f"{address}:{port} {line}" for address, port, line in connections]
    wrong += [f"asked for {each}" for each in names]
    for each in wrong:
        tally.check(False, each)
    for _ in range(max(0, len(spellings) * ways.count() - len(wrong))):
        tally.check(True, "")
