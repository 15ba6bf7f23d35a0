/** Two profiles side by side: what diff makes and a picture of it shows. */
#ifndef INFERNO_COMPARED_H
#define INFERNO_COMPARED_H

#include "profile/change.h"
#include "profile/tree.h"

struct compared {
	struct profile profile; // of both
	struct tree tree;       // with changes
	struct yardstick yardstick;
	const char *before, *after; // what the profiles are called
	bool own;                   // a picture shows what changed in the functions themselves
};

#endif
