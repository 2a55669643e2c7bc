package main

import (
	"io"
	"os"
	"syscall"
)

// copyEntry never writes over anything; what it has copied goes again when it fails.
func copyEntry(root *root, asked request, _ *frames) (any, error) {
	from, to, err := root.fromTo(asked)
	if err != nil {
		return nil, err
	}
	defer from.close()
	defer to.close()
	if _, err := to.lstat(); err == nil {
		return nil, problem{Code: "exists", Path: asked.To}
	}
	copying := copying{}
	if err := copying.one(from, to, 0); err != nil {
		if copying.hasBegun {
			os.RemoveAll(to.at())
		}
		return nil, err
	}
	return shown(to)
}

type copying struct {
	hasBegun bool
	// The copy itself, which may lie in what is copied by way of a link.
	target os.FileInfo
}

func (c *copying) one(from, to place, depth int) error {
	info, err := from.lstat()
	if err != nil {
		return err
	}
	switch kindOf(info) {
	case "file":
		return c.file(from, to)
	case "folder":
		return c.folder(from, to, info, depth)
	case "link":
		target, err := os.Readlink(from.at())
		if err == nil {
			err = os.Symlink(target, to.at())
		}
		c.hasBegun = c.hasBegun || err == nil
		return at(from.path, err)
	}
	return problem{Code: "not_file", Path: from.path}
}

func (c *copying) file(from, to place) error {
	source, err := openNoFollow(from.folder, from.name, syscall.O_RDONLY)
	if err != nil {
		return at(from.path, err)
	}
	source, info, err := regular(from.path, source)
	if err != nil {
		return err
	}
	defer source.Close()
	flags := syscall.O_WRONLY | syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	fd, err := syscall.Openat(int(to.folder.Fd()), to.name, flags, 0o600)
	if err != nil {
		return at(to.path, err)
	}
	c.hasBegun = true
	target := os.NewFile(uintptr(fd), to.name)
	defer target.Close()
	if _, err := io.Copy(target, source); err != nil {
		return at(to.path, err)
	}
	return at(to.path, target.Chmod(info.Mode().Perm()))
}

func (c *copying) folder(from, to place, info os.FileInfo, depth int) error {
	if depth > deepest {
		return problem{Code: "too_deep", Path: from.path}
	}
	if c.target != nil && os.SameFile(c.target, info) {
		return problem{Code: "into_itself", Path: to.path}
	}
	source, err := openNoFollow(from.folder, from.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil {
		return at(from.path, err)
	}
	defer source.Close()
	if err := os.Mkdir(to.at(), 0o700); err != nil {
		return at(to.path, err)
	}
	c.hasBegun = true
	target, err := openNoFollow(to.folder, to.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil {
		return at(to.path, err)
	}
	defer target.Close()
	if c.target == nil {
		if c.target, err = target.Stat(); err != nil {
			return at(to.path, err)
		}
	}
	if err := c.entries(source, target, from, to, depth); err != nil {
		return err
	}
	return at(to.path, target.Chmod(info.Mode().Perm()))
}

func (c *copying) entries(source, target *os.File, from, to place, depth int) error {
	for {
		names, err := source.Readdirnames(1024)
		for _, name := range names {
			each := place{source, name, join(from.path, name)}
			err := c.one(each, place{target, name, join(to.path, name)}, depth+1)
			if err != nil && codeOf(err) != "not_found" {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return at(from.path, err)
		}
	}
}
