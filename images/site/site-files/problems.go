package main

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// What went wrong, as a code; the panel has the words for it.
type problem struct {
	Code    string `json:"code"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message,omitempty"`
	Line    int    `json:"line,omitempty"`
	Bytes   *int64 `json:"bytes,omitempty"`
	Etag    string `json:"etag,omitempty"`
}

func (p problem) Error() string { return p.Code }

var codes = map[syscall.Errno]string{
	syscall.ENOENT:       "not_found",
	syscall.EEXIST:       "exists",
	syscall.ENOTEMPTY:    "exists",
	syscall.ENOTDIR:      "not_folder",
	syscall.EISDIR:       "not_file",
	syscall.ENXIO:        "not_file",
	syscall.EACCES:       "denied",
	syscall.EPERM:        "denied",
	syscall.EROFS:        "denied",
	syscall.EXDEV:        "outside",
	syscall.ELOOP:        "is_link",
	syscall.ENAMETOOLONG: "name_invalid",
	syscall.EILSEQ:       "name_invalid",
	syscall.ENOSPC:       "no_space",
	syscall.EDQUOT:       "no_space",
	syscall.EAGAIN:       "changed_meanwhile",
}

func problemOf(err error) problem {
	var known problem
	if errors.As(err, &known) {
		return known
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		if code, ok := codes[number]; ok {
			return problem{Code: code}
		}
		return problem{Code: "failed", Message: number.Error()}
	}
	if errors.Is(err, os.ErrExist) {
		return problem{Code: "exists"}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return problem{Code: "cut_off"}
	}
	return problem{Code: "failed", Message: err.Error()}
}

// at says which path a problem is about.
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	known := problemOf(err)
	if known.Path == "" {
		known.Path = path
	}
	return known
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return problemOf(err).Code
}
