/** Methods of Java as stack traces name them: `at java.util.List.of(List.java:12)`. */
#ifndef INFERNO_JAVA_H
#define INFERNO_JAVA_H

#include "collapse/frames.h"

/** What becomes of the packages in the name of a method. */
enum java_packages {
	JAVA_WHOLE_PACKAGES,
	JAVA_SHORT_PACKAGES, // java.util.List.of: j.u.List.of
	JAVA_NO_PACKAGES,    // List.of
};

/** Take the method out of a line of a stack trace: what is between `at ` and the first `(`. False
 * if the line, perhaps indented, is none. */
bool java_method(struct str line, struct str *method);

/** The bytes of a method's name that are its packages, the last separator included; separated by
 * dots, before CLASS.METHOD. */
size_t java_packages_length(struct str method);

/** The same for names with slashes, which the virtual machine uses itself: java/util/List.of. */
size_t java_slashed_packages_length(struct str method);

/** What the line of a method means, of whose name `n` bytes are its packages; see
 * meaning_of_name(). The bytes that are made on the way stay in the two buffers. */
struct meaning java_frame(struct profile *profile, struct str method, size_t n,
			  enum java_packages packages, struct buf *name, struct buf *text);

#endif
