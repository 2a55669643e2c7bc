package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"syscall"
	"time"
)

// What was read before, so that what has not changed need not be read again. A site cannot set the time at which a
// file was last changed (ctime).

type seen struct {
	Path  string  `json:"p"`
	Size  int64   `json:"s"`
	Mod   int64   `json:"m"`
	Ctime int64   `json:"c"`
	Inode uint64  `json:"i"`
	MD5   string  `json:"a,omitempty"`
	SHA   string  `json:"b,omitempty"`
	Found []match `json:"f,omitempty"`
	// Whether rules have looked at it.
	Judged bool `json:"j,omitempty"`
	// Came since a scan that found nothing.
	New bool `json:"n,omitempty"`
	// As the panel wrote it.
	Owned bool `json:"o,omitempty"`
}

type memory struct {
	rules string
	files map[string]seen
}

// A file that changes again within this time can look the same.
const settled = 2 * time.Second

func fingerprint(path string, info os.FileInfo) seen {
	status := info.Sys().(*syscall.Stat_t)
	return seen{
		Path: path, Size: info.Size(), Mod: info.ModTime().UnixNano(),
		Ctime: status.Ctim.Nano(), Inode: status.Ino,
	}
}

func (s seen) isSame(other seen) bool {
	return s.Size == other.Size && s.Mod == other.Mod && s.Ctime == other.Ctime && s.Inode == other.Inode
}

func (s seen) isSettled(readAt time.Time) bool { return s.Ctime < readAt.Add(-settled).UnixNano() }

// recall gives nothing where the file is damaged: everything is then read again.
func recall() memory {
	known := memory{files: map[string]seen{}}
	file, err := os.Open(seenFile)
	if err != nil {
		return known
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return known
	}
	lines := json.NewDecoder(bufio.NewReader(unzipped))
	var head struct{ Rules string }
	if lines.Decode(&head) != nil {
		return known
	}
	known.rules = head.Rules
	for {
		var each seen
		err := lines.Decode(&each)
		if err == io.EOF {
			return known
		}
		if err != nil {
			return memory{files: map[string]seen{}}
		}
		known.files[each.Path] = each
	}
}

func (m memory) keep() error {
	file, err := os.Create(seenFile + ".part")
	if err != nil {
		return err
	}
	defer file.Close()
	zipped, _ := gzip.NewWriterLevel(file, gzip.BestSpeed)
	lines := json.NewEncoder(zipped)
	err = lines.Encode(map[string]string{"Rules": m.rules})
	for _, each := range m.files {
		if err == nil {
			err = lines.Encode(each)
		}
	}
	if err == nil {
		err = zipped.Close()
	}
	if err != nil {
		return err
	}
	return os.Rename(seenFile+".part", seenFile)
}
