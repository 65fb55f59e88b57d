package main

import "golang.org/x/sys/unix"

// harden keeps other programs of the same user, those that zuno starts
// included, from reading zuno's own environment and memory through /proc: the
// keys in it are not for them. What is executed is readable again
// (PR_SET_DUMPABLE in prctl(2)). A failure leaves things as they are elsewhere.
func harden() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
