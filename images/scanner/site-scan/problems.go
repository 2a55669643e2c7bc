package main

import (
	"errors"
	"syscall"
)

// What went wrong, as a code; the panel has the words for it.
type problem struct {
	Code string `json:"code"`
}

func (p problem) Error() string { return p.Code }

var codes = map[syscall.Errno]string{
	syscall.ENOENT:       "not_found",
	syscall.EEXIST:       "exists",
	syscall.ENOTEMPTY:    "exists",
	syscall.ENOTDIR:      "not_found",
	syscall.ELOOP:        "not_found",
	syscall.EXDEV:        "not_found",
	syscall.ENAMETOOLONG: "name_invalid",
	syscall.ENOSPC:       "no_space",
	syscall.EDQUOT:       "no_space",
	syscall.EAGAIN:       "changed",
}

func problemOf(err error) problem {
	var known problem
	if errors.As(err, &known) {
		return known
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		if code, ok := codes[number]; ok {
			return problem{code}
		}
	}
	return problem{"failed"}
}
