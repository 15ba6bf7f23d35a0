/**
 * Text escaped for the languages of a picture: XML, and CSS and JavaScript inside XML. Escaped text
 * can neither break the file nor become a tag, a rule or a statement. The text is well-formed
 * UTF-8; characters that XML cannot hold become U+FFFD.
 */
#pragma once

#include "base/output.h"

/** Write the text of an element or of an attribute in quotes. */
void escape_xml(struct output *out, struct str text);

/** Write part of a comment. The part has no two hyphens in a row, and no hyphen at its end. */
void escape_comment(struct output *out, struct str text);

/** Write a CSS string, in quotes. */
void escape_css(struct output *out, struct str text);

/** Write a JavaScript string, in quotes. */
void escape_js(struct output *out, struct str text);
