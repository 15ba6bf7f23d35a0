/** The type of a request of ioctl(), in which C libraries differ: cast a request that reads to it.
 */
#ifndef INFERNO_IOCTL_REQUEST_H
#define INFERNO_IOCTL_REQUEST_H

#ifdef __GLIBC__
typedef unsigned long ioctl_request;
#else
typedef int ioctl_request;
#endif

#endif
