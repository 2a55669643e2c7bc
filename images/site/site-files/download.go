package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
)

type fileDownload struct {
	Kind string `json:"kind"`
	Size int64  `json:"size"`
	file *os.File
}

func (d fileDownload) send(out io.Writer) error {
	// A file that grows is sent as long as it was; one that shrinks is a failure.
	_, err := io.CopyN(out, d.file, d.Size)
	return err
}

type folderDownload struct {
	Kind   string `json:"kind"`
	parent *os.File
	name   string
}

const tarChangedWhileRead = 1

// tar walks from descriptor to descriptor, opens without waiting and follows no link.
func (d folderDownload) send(out io.Writer) error {
	pack := exec.Command("tar", "--create", "--file=-", "--directory=/proc/self/fd/3", "--ignore-failed-read",
		"--warning=none", "--use-compress-program=gzip -1", "--", "./"+d.name)
	pack.ExtraFiles = []*os.File{d.parent}
	pack.Stdout = out
	err := pack.Run()
	var exited *exec.ExitError
	if errors.As(err, &exited) && exited.ExitCode() == tarChangedWhileRead {
		return nil
	}
	return err
}

func download(root *root, asked request, _ *frames) (any, error) {
	if asked.Path == "" {
		return folderDownload{"folder", root.File, ""}, nil
	}
	opened, err := root.open(asked.Path, os.O_RDONLY)
	if err != nil {
		return nil, at(asked.Path, err)
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, at(asked.Path, err)
	}
	if !info.IsDir() {
		file, info, err := regular(asked.Path, opened)
		if err != nil {
			return nil, err
		}
		return fileDownload{"file", info.Size(), file}, nil
	}
	opened.Close()
	place, err := root.placeOf(asked.Path)
	return folderDownload{"folder", place.folder, place.name}, err
}
