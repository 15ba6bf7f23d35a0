"""The search box says in words how many frames match and their share; a button clears the search. A
mark is separated by a blank from the text of the choice."""
format = 'html'
draw = 'plain.folded'


def case(p):
	p.open()
	p.true('no button', p.js('return document.querySelector(".search > button").hidden'))
	share = p.covered('plain.folded', 'read|eval')
	p.open('#s=read%7Ceval')
	p.size(420)
	p.true('the bar of a phone does not scroll', p.js('const bar = document.querySelector("header"); return bar.scrollWidth <= bar.clientWidth'))
	p.size(1400)
	p.same('words', p.text('.search output'), '6 frames, ' + share)
	p.keys('/')
	p.keys(*'eval', 'Enter')
	p.wait(lambda: p.text('.search output').startswith('1 of '))
	p.js('document.querySelector(".search > button").click()')
	p.same('cleared', [p.view(), p.text('.search output'), p.js('return document.querySelector("#find").value')], ['', '', ''])
	p.true('button gone', p.js('return document.querySelector(".search > button").hidden'))
	mark = p.js('return getComputedStyle(document.querySelector(".menu [aria-pressed=true]"), "::before").content')
	p.same('blank after the mark', mark, '"\u2713\u00a0"')
