package main

import "golang.org/x/sys/unix"

// ioctlTermios asks for the settings of a terminal, and fails for what is none
// (tty_ioctl(4)).
const ioctlTermios = unix.TCGETS
