"""Finds other processes of this machine."""
import os


def other_root():
    """Returns whether a process has another root folder, as in a container or after chroot. The
    same path then names another file here."""
    mine = os.stat("/")
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            other = os.stat("/proc/%s/root" % process)
            os.readlink("/proc/%s/exe" % process) # the kernel's threads have none
        except OSError:
            continue
        if (other.st_dev, other.st_ino) != (mine.st_dev, mine.st_ino):
            return True
    return False
