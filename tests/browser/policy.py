"""The picture works under a policy that forbids evaluating text as code and using the network."""
draw = 'plain.folded'


def case(p):
	svg = p.read('policy.svg')
	p.write('policy.html', '<!DOCTYPE html><title>policy</title><meta http-equiv="Content-Security-Policy" '
		'content="default-src \'none\'; script-src \'unsafe-inline\'; style-src \'unsafe-inline\'">' + svg[svg.index('<svg'):])
	p.open(path='policy.html')
	p.click('run (')
	p.near('zooms', p.frame('run (')['width'], p.frame('all (')['width'])
	p.search('read')
	p.same('searches', p.matched(), 'Matched: ' + p.covered('plain.folded', 'read', ('main', 'run')))
