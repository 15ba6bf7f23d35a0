/** The type of a request of ioctl(). C libraries differ in this type, so cast a request that reads
 * data to this type.
 */
#ifndef INFERNO_IOCTL_REQUEST_H
#define INFERNO_IOCTL_REQUEST_H

#ifdef __GLIBC__
typedef unsigned long ioctl_request;
#else
typedef int ioctl_request;
#endif

#endif
