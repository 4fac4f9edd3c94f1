"""The HTML page in Chromium, from disk and without a network."""

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

VIEWS = {'light': (1280, 900, 'light'), 'dark': (1280, 900, 'dark'), 'phone': (390, 844, 'light'),
         'phone-dark': (390, 844, 'dark')}


def verdicts(file, report, driver, pictures):
    for name, (width, height, scheme) in VIEWS.items():
        browser = start(driver, width, height, scheme)
        try:
            browser.get(file.as_uri())
            problems = look(browser, report, width)
            if pictures:
                pictures.mkdir(parents=True, exist_ok=True)
                browser.save_screenshot(str(pictures / f'{name}.png'))
                whole(browser, width, height, pictures / f'{name}-whole.png')
            yield f'HTML, Chromium, {name}', problems
        finally:
            browser.quit()


def start(driver, width, height, scheme):
    options = webdriver.ChromeOptions()
    options.binary_location = '/usr/bin/chromium'
    # No name resolves, so that a page that needs the network is found out.
    for word in ('--headless=new', '--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND'):
        options.add_argument(word)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    browser = webdriver.Chrome(options=options, service=Service(str(driver)))
    size(browser, width, height)
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia',
                            {'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
    return browser


def size(browser, width, height):
    browser.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
        'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': width < 500})


def whole(browser, width, height, path):
    tall = browser.execute_script('return document.documentElement.scrollHeight')
    size(browser, width, min(tall, 6000))
    browser.save_screenshot(str(path))
    size(browser, width, height)


def look(browser, report, width):
    problems = []
    creatives = browser.find_elements(By.CSS_SELECTOR, 'details.creative')
    if len(creatives) != len(report['creatives']):
        problems.append(f'{len(creatives)} creatives')
    findings = sum(len(creative['findings']) for creative in report['creatives'])
    if len(browser.find_elements(By.CSS_SELECTOR, '.finding')) != findings:
        problems.append('not every finding is there')
    # A phone widens its viewport to what overflows, so that alone tells nothing.
    wide = browser.execute_script('return document.documentElement.scrollWidth')
    if wide > width:
        problems.append(f'{wide} pixels wide on a screen of {width}')
    problems += broken_pictures(browser)
    problems += answers(browser, report)
    problems += filtering(browser, findings)
    problems += following(browser)
    problems += enlarging(browser)
    return problems + [entry['message'] for entry in browser.get_log('browser')]


def answers(browser, report):
    """Each answer of a network to a playable's build leads to its reasons, unfolded."""
    links = browser.find_elements(By.CSS_SELECTOR, '.playables td a')
    builds = {creative['build'] for creative in report['creatives'] if 'build' in creative}
    rows = len(browser.find_elements(By.CSS_SELECTOR, '.playables tbody tr'))
    problems = [] if rows == len(builds) else [f'{rows} builds']
    for link in links:
        link.send_keys(Keys.ENTER)
        place = browser.find_element(By.CSS_SELECTOR, link.get_attribute('hash'))
        if not place.get_attribute('open'):
            problems.append(f'{link.get_attribute("hash")} stays folded')
    return problems


def broken_pictures(browser):
    broken = browser.execute_async_script('''
        const done = arguments[0];
        const images = [...document.querySelectorAll('img[src]')];
        for (const image of images) image.loading = 'eager';
        Promise.all(images.map((image) => image.decode().catch(() => image.src.slice(0, 40))))
          .then((results) => done(results.filter(Boolean)));''')
    return [f'{len(broken)} broken pictures'] if broken else []


def shown(browser, selector):
    return browser.execute_script(
        'return [...document.querySelectorAll(arguments[0])].filter((node) => !node.hidden).length', selector)


def filtering(browser, findings):
    """Words and boxes hide what doesn't fit, and give it back."""
    problems = []
    form = browser.find_element(By.CSS_SELECTOR, '.findings-filter')
    word = form.find_element(By.NAME, 'text')
    word.send_keys('no creative says this')
    if shown(browser, 'details.creative') or shown(browser, '.wall .card'):
        problems.append('the filter leaves creatives that don\'t fit')
    word.clear()
    word.send_keys(' ')
    if shown(browser, '.finding') != findings:
        problems.append('the filter doesn\'t give findings back')
    errors = form.find_element(By.NAME, 'error')
    errors.click()
    if shown(browser, '.finding[data-severity=error]'):
        problems.append('errors are shown though they were switched off')
    errors.click()
    return problems + filtering_events(browser)


def filtering_events(browser):
    forms = [form for form in browser.find_elements(By.CSS_SELECTOR, '.timeline form.filters') if form.is_displayed()]
    if not forms:
        return []

    def rows():
        return browser.execute_script(
            'return [...arguments[0].closest(".timeline").querySelectorAll("tbody tr")]'
            '.filter((row) => !row.hidden).map((row) => row.dataset.source)', forms[0])

    before = rows()
    box = forms[0].find_element(By.NAME, before[0])
    box.click()
    problems = ['the event filter leaves what was switched off'] if before[0] in rows() else []
    box.click()
    return problems + ([] if rows() == before else ['the event filter doesn\'t give events back'])


def enlarging(browser):
    """A click on the wall shows a picture large, an arrow the next, Escape none."""
    thumbs = [node for node in browser.find_elements(By.CSS_SELECTOR, '.wall a.thumb')
              if node.find_elements(By.TAG_NAME, 'img')]
    if not thumbs:
        return []
    browser.execute_script('arguments[0].click()', thumbs[0])

    def seen():
        return browser.find_element(By.CSS_SELECTOR, 'dialog.viewer h2').text

    first, several = seen(), not seen().endswith('1 of 1')
    browser.find_element(By.CSS_SELECTOR, 'dialog.viewer .stage').send_keys(Keys.ARROW_RIGHT)
    problems = ['the arrow doesn\'t lead to the next picture'] if several and seen() == first else []
    browser.find_element(By.CSS_SELECTOR, 'dialog.viewer .stage').send_keys(Keys.ESCAPE)
    if browser.find_element(By.CSS_SELECTOR, 'dialog.viewer').is_displayed():
        problems.append('the large picture doesn\'t go away')
    return problems


def following(browser):
    """The picture beside the events follows them."""
    timelines = [node for node in browser.find_elements(By.CSS_SELECTOR, '.timeline') if node.is_displayed()]
    problems = []
    for timeline in timelines[:3]:
        rows = timeline.find_elements(By.CSS_SELECTOR, 'tbody tr[data-picture]')
        if not rows:
            continue
        browser.execute_script('arguments[0].focus()', rows[-1])
        same = browser.execute_script('''
            const [timeline, row] = arguments;
            const picture = document.getElementById(row.dataset.picture);
            return picture.tagName !== 'IMG' || timeline.querySelector('.now img').src === picture.src;''',
            timeline, rows[-1])
        if not same:
            problems.append('the picture doesn\'t follow the events')
    return problems
