/** The most informative part of a function's name that fits into a box. */
#pragma once

#include "base/buf.h"

/**
 * Shorten a name, which is well-formed UTF-8, to at most `room` characters; `room` is at least 3.
 * Until the name fits, remove these parts in turn: argument lists and template arguments; leading
 * namespaces, packages or folders, except for words that fit after an ellipsis; the end of the
 * name, which an ellipsis replaces. Return the name, or text in `buf`.
 */
struct str label_shorten(struct str name, size_t room, struct buf *buf);
