/** Methods of Java, in the form of stack traces: `at java.util.List.of(List.java:12)`. */
#pragma once

#include "collapse/frames.h"

/** How to show the packages in the name of a method. */
enum java_packages {
	JAVA_WHOLE_PACKAGES,
	JAVA_SHORT_PACKAGES, // java.util.List.of becomes j.u.List.of
	JAVA_NO_PACKAGES,    // java.util.List.of becomes List.of
};

/** Find the method in a line of a stack trace: the text between `at ` and the first `(`. Return
 * false for any other line. A line may be indented. */
bool java_method(struct str line, struct str *method);

/** Return how many bytes of a method's name are its packages, including the last separator. In the
 * name, dots separate the packages, the class and the method. */
size_t java_packages_length(struct str method);

/** Return how many bytes of a method's name are its packages, if slashes separate the packages, as
 * in java/util/List.of. The virtual machine itself uses this form. */
size_t java_slashed_packages_length(struct str method);

/** Return the meaning of a line with a method. The first `n` bytes of the name are its packages;
 * see meaning_of_name(). */
struct meaning java_frame(struct run *run, struct str method, size_t n,
			  enum java_packages packages);
