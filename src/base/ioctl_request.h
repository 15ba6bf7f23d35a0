/** The type of the second argument of ioctl(). C libraries have different types. Cast a request to
 * this type, or a compiler may warn about the conversion. */
#ifndef INFERNO_IOCTL_REQUEST_H
#define INFERNO_IOCTL_REQUEST_H

#ifdef __GLIBC__
typedef unsigned long ioctl_request;
#else
typedef int ioctl_request;
#endif

#endif
