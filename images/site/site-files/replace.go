package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"syscall"
)

const oTmpfile = 0x400000 | syscall.O_DIRECTORY

const newFileMode = 0o644

// replace fills a file without a name and gives it its name at the end, with the mode and owner of what was there.
// `ready` says at the last moment whether something may be in the way.
func replace(place place, fill func(*os.File) error, ready func() (bool, error)) error {
	file, err := unnamed(place.folder)
	if err != nil {
		return at(place.path, err)
	}
	defer file.Close()
	if err := fill(file); err != nil {
		return err
	}
	if err := takeLooks(place, file); err != nil {
		return at(place.path, err)
	}
	if err := file.Sync(); err != nil {
		return at(place.path, err)
	}
	overwrite, err := ready()
	if err != nil {
		return err
	}
	return at(place.path, giveName(file, place, overwrite))
}

func unnamed(folder *os.File) (*os.File, error) {
	flags := syscall.O_RDWR | syscall.O_CLOEXEC | oTmpfile
	fd, err := syscall.Openat(int(folder.Fd()), ".", flags, newFileMode)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), fdPath(fd)), nil
}

func takeLooks(place place, file *os.File) error {
	mode := os.FileMode(newFileMode)
	info, err := os.Lstat(place.at())
	if err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
		status := info.Sys().(*syscall.Stat_t)
		// Only root can give a file to another; everybody else's file stays their own.
		if err := file.Chown(int(status.Uid), int(status.Gid)); err != nil && !errors.Is(err, syscall.EPERM) {
			return err
		}
	}
	return file.Chmod(mode)
}

func giveName(file *os.File, to place, overwrite bool) error {
	if !overwrite {
		return link(file, to)
	}
	temporary := place{to.folder, ".fleetpress-" + randomName(), to.path}
	if err := link(file, temporary); err != nil {
		return err
	}
	if err := os.Rename(temporary.at(), to.at()); err != nil {
		os.Remove(temporary.at())
		return err
	}
	return nil
}

// link fails when the name is taken.
func link(file *os.File, to place) error {
	return linkat(fdPath(int(file.Fd())), to)
}

func randomName() string {
	var random [12]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}
