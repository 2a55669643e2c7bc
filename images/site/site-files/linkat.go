package main

import (
	"syscall"
	"unsafe"
)

const (
	atCurrent       = -100
	atFollowSymlink = 0x400
)

// linkat follows the first path, which is that of a descriptor.
func linkat(from string, to place) error {
	oldPath, err := syscall.BytePtrFromString(from)
	if err != nil {
		return err
	}
	newName, err := syscall.BytePtrFromString(to.name)
	if err != nil {
		return err
	}
	current := atCurrent
	_, _, errno := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(current), uintptr(unsafe.Pointer(oldPath)),
		to.folder.Fd(), uintptr(unsafe.Pointer(newName)), atFollowSymlink, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
