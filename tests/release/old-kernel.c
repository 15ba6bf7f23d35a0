/* old-kernel PROGRAM ARGUMENT...: runs a program as on Linux 4.18, where no later system call
 * exists: the kernel answers each of them with ENOSYS. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// rseq is the last system call of Linux 4.18. Later calls have numbers from 424 on, on all
// processors.
enum { LAST = __NR_rseq };

int main(int argc, char **argv) {
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(rules) / sizeof(*rules), .filter = rules};
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
	    syscall(__NR_pidfd_open, getpid(), 0) != -1 || errno != ENOSYS) {
		fputs("old-kernel: there is no filter of system calls here\n", stderr);
		return 77;
	}
	execv(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
