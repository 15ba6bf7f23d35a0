/** Write a picture as an HTML page: the picture, with tables, filters and other panels. */
#pragma once

#include "web/document.h"

void html_write(struct output *out, struct document *document);

/** Write a page with a message that there is nothing to draw. */
void html_write_error(struct output *out, const struct design *design);
