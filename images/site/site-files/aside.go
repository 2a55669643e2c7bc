package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// An item is changed beside what is there: the new one is unpacked aside, the two trade places in one step, and the old
// one waits aside until it is known that the site still works. Undoing it is the same step again.

const unpackedName = ".unpacked"

// What a name stands for before and after the change, by inode; nothing is "".
type exchanged struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

type staged struct {
	Entries []exchanged `json:"entries"`
}

// What a name should stand for.
type wanted struct {
	Name  string `json:"name"`
	Inode string `json:"inode"`
}

func asideOf(root *root, asked request) (place, error) {
	return root.placeOf(".fleetpress-aside-" + asked.ID)
}

// stage prepares a change and changes nothing of the site. Without a format it prepares the removal of the name.
func stage(root *root, asked request, input *frames) (any, error) {
	aside, err := asideOf(root, asked)
	if err != nil {
		return nil, err
	}
	defer aside.close()
	if err := os.RemoveAll(aside.at()); err != nil {
		return nil, at(aside.path, err)
	}
	if err := os.Mkdir(aside.at(), 0o700); err != nil {
		return nil, at(aside.path, err)
	}
	inner, err := openNoFollow(aside.folder, aside.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil {
		return nil, at(aside.path, err)
	}
	names, err := fillAside(root, openedRoot(inner), asked, input)
	if err != nil {
		os.RemoveAll(aside.at())
		return nil, err
	}
	return describeStaged(root, openedRoot(inner), asked.Path, names)
}

func fillAside(root, aside *root, asked request, input *frames) ([]string, error) {
	switch asked.Format {
	case "":
		return []string{asked.Name}, nil
	case "core":
		if err := unpackCore(aside, input); err != nil {
			return nil, err
		}
		return namesIn(aside)
	}
	return []string{asked.Name}, unpackItem(root, aside, asked, input)
}

// unpackItem takes the one folder of the archive, or the file in it when the item is a single file.
func unpackItem(root, aside *root, asked request, input *frames) error {
	found, err := archiveOf(root, asked, input)
	if err != nil {
		return err
	}
	if err := found.readThrough(func(int64) {}); err != nil {
		return err
	}
	if err := os.Mkdir(fdPath(int(aside.Fd()))+"/"+unpackedName, 0o700); err != nil {
		return at(asked.Name, err)
	}
	unpacked, err := aside.openFolder(unpackedName)
	if err != nil {
		return err
	}
	below := openedRoot(unpacked)
	top := ""
	for _, file := range found.files {
		first, _, _ := strings.Cut(file.Name, "/")
		if first == "__MACOSX" {
			continue
		}
		if top != "" && first != top {
			return refused(file.Name, "it has more than one folder")
		}
		top = first
		if err := unpackBelow(below, file, func(int64) {}); err != nil {
			return err
		}
	}
	if err := checkSums(below, top, asked.Sums); err != nil {
		return err
	}
	from := place{unpacked, top, top}
	if strings.HasSuffix(asked.Name, ".php") {
		folder, err := below.openFolder(top)
		if err != nil {
			return err
		}
		from = place{folder, asked.Name, asked.Name}
	}
	if err := renameWithout(from, place{aside.File, asked.Name, asked.Name}); err != nil {
		return at(asked.Name, err)
	}
	return nil
}

// archiveOf reads the package from a file of the site, or from the input.
func archiveOf(root *root, asked request, input *frames) (*archive, error) {
	if asked.Package != "" {
		return openArchive(root, asked.Package)
	}
	file, err := unnamed(root.File)
	if err != nil {
		return nil, at(asked.Name, err)
	}
	size, err := io.Copy(file, input)
	if err != nil {
		return nil, at(asked.Name, err)
	}
	return readArchive(root, asked.Name, file, size)
}

// checkSums holds every file against the published list, where there is one.
func checkSums(below *root, top string, sums map[string][]string) error {
	if len(sums) == 0 {
		return nil
	}
	folder, err := below.openFolder(top)
	if err != nil {
		return err
	}
	return walk(folder, "", func(each place, info os.FileInfo) error {
		if info.IsDir() {
			return nil
		}
		sum, err := etagAt(each)
		if err != nil {
			return err
		}
		if !matches(sums[each.path], sum) {
			return refused(each.path, "it differs from what its author published")
		}
		return nil
	})
}

func namesIn(folder *root) ([]string, error) {
	opened, err := folder.openFolder("")
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.Readdirnames(-1)
}

func describeStaged(root, aside *root, path string, names []string) (any, error) {
	folder, err := root.openFolder(path)
	if err != nil {
		return nil, at(path, err)
	}
	defer folder.Close()
	found := staged{[]exchanged{}}
	for _, name := range names {
		before, err := inodeAt(place{folder, name, join(path, name)})
		if err != nil {
			return nil, err
		}
		after, err := inodeAt(place{aside.File, name, name})
		if err != nil {
			return nil, err
		}
		found.Entries = append(found.Entries, exchanged{name, before, after})
	}
	return found, nil
}

func inodeAt(each place) (string, error) {
	info, err := each.lstat()
	if codeOf(err) == "not_found" {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return strconv.FormatUint(info.Sys().(*syscall.Stat_t).Ino, 10), nil
}

// swap makes each name stand for what is wanted, which is there already or waits aside. Done twice it does nothing.
func swap(root *root, asked request, _ *frames) (any, error) {
	folder, err := root.openFolder(asked.Path)
	if err != nil {
		return nil, at(asked.Path, err)
	}
	defer folder.Close()
	outer, err := asideOf(root, asked)
	if err != nil {
		return nil, err
	}
	defer outer.close()
	aside, err := openNoFollow(outer.folder, outer.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil && codeOf(err) != "not_found" {
		return nil, at(outer.path, err)
	}
	for _, each := range asked.Wanted {
		if _, name := split(each.Name); name != each.Name || checkPath(name) != nil {
			return nil, problem{Code: "name_invalid", Path: each.Name}
		}
		here := place{folder, each.Name, join(asked.Path, each.Name)}
		if err := swapOne(here, aside, each); err != nil {
			return nil, at(here.path, err)
		}
	}
	return map[string]bool{"ok": true}, nil
}

func swapOne(here place, aside *os.File, each wanted) error {
	current, err := inodeAt(here)
	if err != nil || current == each.Inode {
		return err
	}
	if aside == nil {
		return problem{Code: "changed_meanwhile", Path: here.path}
	}
	there := place{aside, each.Name, here.path}
	other, err := inodeAt(there)
	if err != nil {
		return err
	}
	switch {
	case other != each.Inode:
		return problem{Code: "changed_meanwhile", Path: here.path}
	case current == "":
		return renameWithout(there, here)
	case each.Inode == "":
		return renameWithout(here, there)
	}
	return renameAs(here, there, renameExchange)
}

func unstage(root *root, asked request, _ *frames) (any, error) {
	aside, err := asideOf(root, asked)
	if err != nil {
		return nil, err
	}
	defer aside.close()
	return map[string]bool{"ok": true}, at(aside.path, os.RemoveAll(aside.at()))
}
