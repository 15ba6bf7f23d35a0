/** Two profiles that are compared: the result of diff, which a picture shows. */
#ifndef INFERNO_COMPARED_H
#define INFERNO_COMPARED_H

#include "profile/change.h"
#include "profile/tree.h"

struct compared {
	struct profile profile; // of both
	struct tree tree;       // with changes
	struct yardstick yardstick;
	const char *before, *after; // labels of the profiles
	bool own;                   // the picture shows changes of the functions' own counts
};

#endif
