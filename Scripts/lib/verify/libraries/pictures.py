"""Pictures of an ad with a strip below it that tells which instant they show."""

import io

from PIL import Image, ImageChops, ImageStat

WIDTH, HEIGHT = 300, 244


class Picture:
    def __init__(self, content):
        whole = Image.open(io.BytesIO(content)).convert("RGB")
        self.scale = whole.width // WIDTH
        self.whole = whole
        # The ad without its strip.
        self.ad = whole.crop((0, 0, WIDTH * self.scale, HEIGHT * self.scale))

    def instant(self):
        """Seconds since the motion began; nothing when the strip can't be read."""
        milliseconds = 0
        for bit in range(16):
            one, other = (self.whole.getpixel(self.middle(bit, row))[0] > 127 for row in (0, 1))
            if one == other:
                return None
            milliseconds |= one << bit
        return milliseconds / 1000

    def middle(self, bit, row):
        return int((bit * 18 + 9) * self.scale), int((HEIGHT + row * 3 + 1.5) * self.scale)


def distance(one, other):
    """How far two ads are apart: the sum of what their pixels' channels differ by."""
    return sum(ImageStat.Stat(ImageChops.difference(one.ad, other.ad)).sum)
