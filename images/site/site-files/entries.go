package main

import (
	"io"
	"os"
	"os/user"
	"strconv"
	"syscall"
	"unicode/utf8"
)

type entry struct {
	Name string `json:"name"`
	// False when the name is not UTF-8: what `name` shows is then not what it is.
	IsNameValid bool   `json:"isNameValid"`
	Kind        string `json:"kind"`
	Size        int64  `json:"size"`
	ModifiedAt  int64  `json:"modifiedAt"`
	Mode        string `json:"mode"`
	Owner       string `json:"owner"`
	Target      string `json:"target,omitempty"`
}

type listing struct {
	Writable  bool    `json:"writable"`
	Entries   []entry `json:"entries"`
	Truncated bool    `json:"truncated"`
}

const writeAndSearch = 0x2 | 0x1

func list(root *root, asked request, _ *frames) (any, error) {
	folder, err := root.openFolder(asked.Path)
	if err != nil {
		return nil, at(asked.Path, err)
	}
	defer folder.Close()
	found := listing{Entries: []entry{}, Writable: syscall.Access(fdPath(int(folder.Fd())), writeAndSearch) == nil}
	for {
		names, err := folder.Readdirnames(1024)
		for _, name := range names {
			if len(found.Entries) == asked.MaxEntries {
				found.Truncated = true
				return found, nil
			}
			if shown, err := entryAt(place{folder, name, name}); err == nil {
				found.Entries = append(found.Entries, shown)
			}
		}
		if err == io.EOF {
			return found, nil
		}
		if err != nil {
			return nil, at(asked.Path, err)
		}
	}
}

func stat(root *root, asked request, _ *frames) (any, error) {
	if asked.Path == "" {
		info, err := root.Stat()
		if err != nil {
			return nil, err
		}
		return describe("", info, ""), nil
	}
	place, err := root.placeOf(asked.Path)
	if err != nil {
		return nil, err
	}
	defer place.close()
	return entryAt(place)
}

func entryAt(place place) (entry, error) {
	info, err := place.lstat()
	if err != nil {
		return entry{}, err
	}
	target := ""
	if info.Mode()&os.ModeSymlink != 0 {
		target, _ = os.Readlink(place.at())
	}
	return describe(place.name, info, target), nil
}

func describe(name string, info os.FileInfo, target string) entry {
	status := info.Sys().(*syscall.Stat_t)
	return entry{
		Name:        name,
		IsNameValid: utf8.ValidString(name),
		Kind:        kindOf(info),
		Size:        info.Size(),
		ModifiedAt:  info.ModTime().UnixMilli(),
		Mode:        octal(status.Mode),
		Owner:       ownerName(status.Uid),
		Target:      target,
	}
}

func kindOf(info os.FileInfo) string {
	switch {
	case info.Mode().IsRegular():
		return "file"
	case info.IsDir():
		return "folder"
	case info.Mode()&os.ModeSymlink != 0:
		return "link"
	}
	return "other"
}

func octal(mode uint32) string {
	text := strconv.FormatUint(uint64(mode&0o7777), 8)
	return ("0000" + text)[len(text):]
}

var owners = map[uint32]string{}

func ownerName(uid uint32) string {
	name, known := owners[uid]
	if !known {
		name = strconv.FormatUint(uint64(uid), 10)
		if account, err := user.LookupId(name); err == nil {
			name = account.Username
		}
		owners[uid] = name
	}
	return name
}
