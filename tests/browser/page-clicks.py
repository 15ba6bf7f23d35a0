"""CLICKS clicks (default: 200) at random places and times, also while the page loads, after the
window has changed its size, and in other views: each click acts on the frame, the row or the item
under the mouse. SEED is the seed (default: 20)."""
import os
import random

format = 'html'
draw = 'plain.folded'
CLICKS = int(os.environ.get('CLICKS', 200))
# Waits, returns a random visible frame, its name and a point on it, and from then on notes the frame on which the button goes down.
TARGET = '''const [delay, share, part] = arguments;
	return new Promise(done => setTimeout(done, delay)).then(() => {
		const edge = document.querySelector('#graph').getBoundingClientRect();
		const seen = Array.from(document.querySelectorAll('#frames > g'), el => [el, el.querySelector('rect').getBoundingClientRect()])
			.filter(([el, box]) => box.width >= 3 && box.top >= edge.top && box.bottom <= edge.bottom)
			.map(([el, box]) => [el, Math.round(box.left + 1 + part * (box.width - 2)), Math.round(box.top + box.height / 2)])
			.filter(([el, x, y]) => el.contains(document.elementFromPoint(x, y)));
		if (!seen.length) { return null; }
		const [el, x, y] = seen[Math.floor(share * seen.length)], nameOf = el => el.querySelector('title').textContent.replace(/ \\([^]*/, '');
		window.pressed = null;
		window.addEventListener('pointerdown', evt => {
			const el = evt.target.closest('#frames > g');
			window.pressed = el && nameOf(el);
		}, { capture: true, once: true });
		return [nameOf(el), x, y];
	})'''
# Returns the frame on which the button went down, the frames that are as wide as the picture, the chosen frame and the address.
SEEN = '''const whole = document.querySelector('#frames').getBoundingClientRect().width;
	const wide = Array.from(document.querySelectorAll('#frames > g')).filter(el => el.querySelector('rect').getBoundingClientRect().width > 0.99 * whole - 2)
		.map(el => el.querySelector('title').textContent.replace(/ \\([^]*/, ''));
	const chosen = document.querySelector('footer strong');
	return [window.pressed, wide, chosen && chosen.textContent, location.hash]'''


def case(p):
	dice = random.Random(int(os.environ.get('SEED', 20)))
	lost, deep, pressed = [], 0, 0
	p.size(1400, 900)
	p.open()
	for n in range(CLICKS):
		act = dice.random()
		if act < 0.12:
			p.open(path='blank.txt')
			p.driver.call('/url', {'url': p.address + p.file})  # the page is not idle yet
			deep = 0
		elif act < 0.22:
			p.cdp('Emulation.setDeviceMetricsOverride', width=dice.randrange(700, 1500), height=dice.randrange(400, 1000), deviceScaleFactor=1, mobile=False)
		elif act < 0.3 or deep > 5:
			p.keys('Escape')
			deep = 0
		elif act < 0.35:
			p.press('.menus > .tool')
		target = p.js(TARGET, dice.choice((0, 0, 20, 100, 300)), dice.random(), dice.random())
		if not target:
			p.keys('Escape')
			target = p.js(TARGET, 0, dice.random(), dice.random())
		_, x, y = target  # a window that has just changed its size may move the frames before the press
		if dice.random() < 0.1:  # the window changes while the button is down
			p.js('setTimeout(() => { document.querySelector("#stage").style.marginLeft = arguments[0] + "px"; }, 60)', dice.randrange(0, 80))
			p.push(x, y, 200)
		else:
			p.push(x, y, dice.choice((0, 10, 60, 200)))
		name, wide, chosen, view = p.js(SEEN)
		if name and name not in wide or name and name != 'all' and chosen != name:
			lost.append((n, name, x, y, chosen, view, wide))
		deep, pressed = deep + 1, pressed + (name is not None)
	p.cdp('Emulation.clearDeviceMetricsOverride')
	p.same('clicks that are lost', lost, [])
	p.true('nearly all were on a frame: %d' % pressed, pressed > 0.9 * CLICKS)
