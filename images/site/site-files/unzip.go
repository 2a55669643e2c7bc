package main

import (
	"archive/zip"
	"os"
	"strings"
	"syscall"
)

type unzipped struct {
	Files      int   `json:"files"`
	TotalBytes int64 `json:"totalBytes"`
}

// checkZip refuses an archive that is not safe, or whose entries are in the way of something, and writes nothing.
func checkZip(root *root, asked request, _ *frames) (any, error) {
	found, err := openArchive(root, asked.Path)
	if err != nil {
		return nil, err
	}
	if err := checkWay(root, found, asked); err != nil {
		return nil, err
	}
	done := int64(0)
	err = found.readThrough(func(bytes int64) { done += bytes })
	return unzipped{len(found.files), found.totalBytes}, err
}

// checkWay: a file is in the way unless it may be overwritten; a folder where a file should be, or the reverse, always.
func checkWay(root *root, found *archive, asked request) error {
	target, err := root.openFolder(asked.To)
	if err != nil {
		return at(asked.To, err)
	}
	target.Close()
	for _, file := range found.files {
		isFolder := strings.HasSuffix(file.Name, "/")
		path := join(asked.To, strings.TrimSuffix(file.Name, "/"))
		place, err := root.placeOf(path)
		if codeOf(err) == "not_found" {
			continue
		}
		if err != nil {
			return at(path, err)
		}
		info, err := place.lstat()
		place.close()
		if codeOf(err) == "not_found" {
			continue
		}
		if err != nil {
			return err
		}
		if info.IsDir() != isFolder || (!isFolder && !(asked.Overwrite && info.Mode().IsRegular())) {
			return problem{Code: "exists", Path: path}
		}
	}
	return nil
}

func stagingOf(root *root, asked request) (place, error) {
	return root.placeOf(join(asked.To, ".fleetpress-unzip-"+asked.ID))
}

// unzip writes into a folder beside the target, so that nothing of the site changes until all of it is there.
func unzip(root *root, asked request, _ *frames) (any, error) {
	found, err := openArchive(root, asked.Path)
	if err != nil {
		return nil, err
	}
	staging, err := stagingOf(root, asked)
	if err != nil {
		return nil, err
	}
	defer staging.close()
	if err := os.RemoveAll(staging.at()); err != nil {
		return nil, at(asked.To, err)
	}
	if err := os.Mkdir(staging.at(), 0o700); err != nil {
		return nil, at(asked.To, err)
	}
	inner, err := openNoFollow(staging.folder, staging.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil {
		return nil, at(asked.To, err)
	}
	below := openedRoot(inner)
	done := int64(0)
	for _, file := range found.files {
		err := unpackBelow(below, file, func(bytes int64) { done += bytes })
		if err != nil {
			os.RemoveAll(staging.at())
			return nil, err
		}
		progress(done, found.totalBytes)
	}
	return unzipped{len(found.files), found.totalBytes}, nil
}

func unpackBelow(target *root, file *zip.File, onBytes func(int64)) error {
	name := strings.TrimSuffix(file.Name, "/")
	if name != file.Name {
		return makeFolders(target, name)
	}
	out, err := createBelow(target, name)
	if err != nil {
		return err
	}
	defer out.Close()
	return unpackTo(out, file, onBytes)
}

// createBelow creates a file that is not there yet, and the folders it lies in.
func createBelow(target *root, name string) (*os.File, error) {
	folders, _ := split(name)
	if err := makeFolders(target, folders); err != nil {
		return nil, err
	}
	place, err := target.placeOf(name)
	if err != nil {
		return nil, err
	}
	defer place.close()
	flags := syscall.O_WRONLY | syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	fd, err := syscall.Openat(int(place.folder.Fd()), place.name, flags, newFileMode)
	if err != nil {
		return nil, at(name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

func makeFolders(target *root, path string) error {
	for end := 0; path != "" && end < len(path); {
		next := strings.IndexByte(path[end+1:], '/')
		if next < 0 {
			end = len(path)
		} else {
			end += 1 + next
		}
		place, err := target.placeOf(path[:end])
		if err != nil {
			return err
		}
		err = os.Mkdir(place.at(), 0o755)
		place.close()
		if err != nil && codeOf(err) != "exists" {
			return at(path, err)
		}
	}
	return nil
}

// placeUnzipped moves everything to where it belongs. Done twice it moves what is left.
func placeUnzipped(root *root, asked request, _ *frames) (any, error) {
	staging, err := stagingOf(root, asked)
	if err != nil {
		return nil, err
	}
	defer staging.close()
	inner, err := openNoFollow(staging.folder, staging.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if codeOf(err) == "not_found" {
		return map[string]bool{"ok": true}, nil
	}
	if err != nil {
		return nil, at(asked.To, err)
	}
	defer inner.Close()
	err = walk(inner, asked.To, func(from place, info os.FileInfo) error {
		to, err := root.placeOf(from.path)
		if err != nil {
			return err
		}
		defer to.close()
		if !info.IsDir() {
			if asked.Overwrite {
				err = keepMode(from, to)
			}
			if err == nil {
				err = rename(from, to, asked.Overwrite)
			}
			return at(from.path, err)
		}
		err = os.Mkdir(to.at(), 0o755)
		if codeOf(err) == "exists" {
			return nil
		}
		return at(from.path, err)
	})
	if err != nil {
		return nil, err
	}
	return map[string]bool{"ok": true}, at(asked.To, os.RemoveAll(staging.at()))
}

func keepMode(from, to place) error {
	info, err := to.lstat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := openNoFollow(from.folder, from.name, syscall.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Chmod(info.Mode().Perm())
}

func dropUnzipped(root *root, asked request, _ *frames) (any, error) {
	staging, err := stagingOf(root, asked)
	if codeOf(err) == "not_found" {
		return map[string]bool{"ok": true}, nil
	}
	if err != nil {
		return nil, err
	}
	defer staging.close()
	return map[string]bool{"ok": true}, at(asked.To, os.RemoveAll(staging.at()))
}
