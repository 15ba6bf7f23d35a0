"""With --style=modern, title and subtitle never run under controls or out of the picture."""
import os
import runpy

headings = runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'headings.py'))
draw = headings['draw'] + ' --style=modern'
case = headings['case']
