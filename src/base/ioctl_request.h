/** The type of the second argument of ioctl(). C libraries have different types. Cast a request to
 * this type, or a compiler may warn about the conversion. */
#pragma once

#ifdef __GLIBC__
typedef unsigned long ioctl_request;
#else
typedef int ioctl_request;
#endif
