package main

import (
	"os"
	"strings"
	"syscall"
)

type changed struct {
	Entry entry `json:"entry"`
}

func shown(place place) (any, error) {
	entry, err := entryAt(place)
	return changed{entry}, err
}

func makeFolder(root *root, asked request, _ *frames) (any, error) {
	place, err := root.placeOf(asked.Path)
	if err != nil {
		return nil, err
	}
	defer place.close()
	if err := os.Mkdir(place.at(), 0o755); err != nil {
		return nil, at(asked.Path, err)
	}
	return shown(place)
}

func move(root *root, asked request, _ *frames) (any, error) {
	from, to, err := root.fromTo(asked)
	if err != nil {
		return nil, err
	}
	defer from.close()
	defer to.close()
	if asked.Overwrite {
		if err := checkOverwrite(from, to); err != nil {
			return nil, err
		}
	}
	if err := rename(from, to, asked.Overwrite); err != nil {
		return nil, at(asked.To, err)
	}
	return shown(to)
}

// checkOverwrite lets a file take the place of a file; a folder is never lost to a rename.
func checkOverwrite(from, to place) error {
	target, err := to.lstat()
	if codeOf(err) == "not_found" {
		return nil
	}
	if err != nil {
		return err
	}
	source, err := from.lstat()
	if err == nil && (target.IsDir() || source.IsDir()) {
		return problem{Code: "exists", Path: to.path}
	}
	return err
}

func (r *root) fromTo(asked request) (from, to place, err error) {
	if asked.To == asked.Path || strings.HasPrefix(asked.To, asked.Path+"/") {
		return from, to, problem{Code: "into_itself", Path: asked.To}
	}
	if from, err = r.placeOf(asked.Path); err != nil {
		return
	}
	if _, err = from.lstat(); err != nil {
		from.close()
		return
	}
	if to, err = r.placeOf(asked.To); err != nil {
		from.close()
		err = at(asked.To, err)
	}
	return
}

// deleteAll looks at every path first: one that is wrong deletes nothing.
func deleteAll(root *root, asked request, _ *frames) (any, error) {
	places := []place{}
	defer func() {
		for _, place := range places {
			place.close()
		}
	}()
	for _, path := range asked.Paths {
		place, err := root.placeOf(path)
		if err != nil {
			return nil, at(path, err)
		}
		places = append(places, place)
		if _, err := place.lstat(); err != nil {
			return nil, err
		}
		if err := syscall.Access(fdPath(int(place.folder.Fd())), writeAndSearch); err != nil {
			return nil, at(path, err)
		}
	}
	for _, place := range places {
		if err := os.RemoveAll(place.at()); err != nil {
			return nil, at(place.path, err)
		}
	}
	return map[string]int{"deleted": len(places)}, nil
}

// changeMode works through a descriptor without any right to the content, so a file nobody may read can be changed back.
func changeMode(root *root, asked request, _ *frames) (any, error) {
	place, err := root.placeOf(asked.Path)
	if err != nil {
		return nil, err
	}
	defer place.close()
	file, err := root.resolveAt(place)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := os.Chmod(fdPath(int(file.Fd())), os.FileMode(asked.Mode&0o777)); err != nil {
		return nil, at(asked.Path, err)
	}
	return shown(place)
}

func (r *root) resolveAt(place place) (*os.File, error) {
	fd, err := syscall.Openat(int(place.folder.Fd()), place.name, oPath|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, at(place.path, err)
	}
	file := os.NewFile(uintptr(fd), fdPath(fd))
	info, err := file.Stat()
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		err = problem{Code: "is_link", Path: place.path}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// giveOwner is for root in a throwaway container: everything under the path belongs to the site again.
func giveOwner(root *root, asked request, _ *frames) (any, error) {
	top := root.File
	if asked.Path != "" {
		place, err := root.placeOf(asked.Path)
		if err != nil {
			return nil, err
		}
		defer place.close()
		info, err := place.lstat()
		if err != nil {
			return nil, err
		}
		if err := own(place, asked); err != nil || !info.IsDir() {
			return map[string]bool{"ok": true}, err
		}
		if top, err = openNoFollow(place.folder, place.name, syscall.O_RDONLY|syscall.O_DIRECTORY); err != nil {
			return nil, at(asked.Path, err)
		}
	} else if err := root.Chown(asked.UID, asked.GID); err != nil {
		return nil, err
	}
	err := walk(top, asked.Path, func(place place, _ os.FileInfo) error { return own(place, asked) })
	return map[string]bool{"ok": true}, err
}

func own(place place, asked request) error {
	err := os.Lchown(place.at(), asked.UID, asked.GID)
	if codeOf(err) == "not_found" {
		return nil
	}
	return at(place.path, err)
}
