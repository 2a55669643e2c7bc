package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// A file leaves the site by one rename, into a folder next to the site's that the site cannot see. Every folder on the
// way is opened beneath the site's own without following a link, so whatever the site exchanges, nothing else is moved.

const (
	sysOpenat2 = 437

	resolveNoMagicLinks = 0x02
	resolveNoSymlinks   = 0x04
	resolveBeneath      = 0x08
	oPath               = 0x200000
	renameNoReplace     = 1
	resolveTries        = 64
)

type moveRequest struct {
	// Names the file in quarantine.
	ID   string `json:"id"`
	Path string `json:"path"`
	UID  int    `json:"uid"`
	GID  int    `json:"gid"`
}

type moved struct {
	Size     int64  `json:"size"`
	Mode     uint32 `json:"mode"`
	UID      uint32 `json:"uid"`
	GID      uint32 `json:"gid"`
	Modified int64  `json:"modified"`
	// Not of a file that would take long to read.
	SHA256 string `json:"sha256,omitempty"`
}

const largestHashed = 256 << 20

type openHow struct{ flags, mode, resolve uint64 }

func openBeneath(folder int, path string, flags int) (int, error) {
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return -1, problem{"name_invalid"}
	}
	how := openHow{flags: uint64(flags | syscall.O_CLOEXEC | syscall.O_NOFOLLOW), resolve: resolveBeneath | resolveNoSymlinks | resolveNoMagicLinks}
	for tries := 0; ; tries++ {
		fd, _, errno := syscall.Syscall6(sysOpenat2, uintptr(folder), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
		if errno == 0 {
			return int(fd), nil
		}
		if errno != syscall.EAGAIN && errno != syscall.EINTR || tries == resolveTries {
			return -1, errno
		}
	}
}

func rename(fromFolder int, from string, toFolder int, to string) error {
	oldName, err := syscall.BytePtrFromString(from)
	if err != nil {
		return err
	}
	newName, err := syscall.BytePtrFromString(to)
	if err != nil {
		return err
	}
	_, _, errno := syscall.Syscall6(sysRenameat2, uintptr(fromFolder), uintptr(unsafe.Pointer(oldName)), uintptr(toFolder), uintptr(unsafe.Pointer(newName)), renameNoReplace, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// The two folders, and where in the site the file is.
type places struct {
	html, quarantine int
	parent, name     string
}

func placesOf(asked moveRequest) (places, error) {
	path, err := unspell(asked.Path)
	if err != nil {
		return places{}, err
	}
	if path == "" || strings.HasPrefix(path, "/") || asked.ID == "" || strings.ContainsAny(asked.ID, "/.") {
		return places{}, problem{"name_invalid"}
	}
	folderFlags := syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_CLOEXEC | syscall.O_NOFOLLOW
	html, err := syscall.Open(aroundSite+"/html", folderFlags, 0)
	if err != nil {
		return places{}, err
	}
	if err := os.Mkdir(aroundSite+"/quarantine", 0o700); err != nil && !os.IsExist(err) {
		return places{}, err
	}
	quarantine, err := syscall.Open(aroundSite+"/quarantine", folderFlags, 0)
	if err != nil {
		return places{}, err
	}
	found := places{html: html, quarantine: quarantine, parent: ".", name: path}
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		found.parent, found.name = path[:slash], path[slash+1:]
	}
	if found.name == "" || found.name == "." || found.name == ".." {
		return places{}, problem{"name_invalid"}
	}
	return found, nil
}

// take moves a regular file out of the site. Done twice it only tells what was moved.
func take(asked moveRequest) (any, error) {
	at, err := placesOf(asked)
	if err != nil {
		return nil, err
	}
	if kept, err := describe(at.quarantine, asked.ID); err == nil {
		return kept, nil
	}
	parent, err := openBeneath(at.html, at.parent, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	if err := rename(parent, at.name, at.quarantine, asked.ID); err != nil {
		return nil, err
	}
	kept, err := describe(at.quarantine, asked.ID)
	if err != nil {
		// It was exchanged for something that is no file: that stays the site's own.
		rename(at.quarantine, asked.ID, parent, at.name)
		return nil, problem{"changed"}
	}
	return kept, nil
}

func describe(folder int, name string) (moved, error) {
	fd, err := openBeneath(folder, name, syscall.O_RDONLY|syscall.O_NONBLOCK)
	if err != nil {
		return moved{}, err
	}
	file := os.NewFile(uintptr(fd), name)
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return moved{}, err
	}
	if !info.Mode().IsRegular() {
		return moved{}, problem{"changed"}
	}
	status := info.Sys().(*syscall.Stat_t)
	found := moved{info.Size(), status.Mode & 0o7777, status.Uid, status.Gid, info.ModTime().UnixMilli(), ""}
	if info.Size() > largestHashed {
		return found, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return moved{}, err
	}
	found.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return found, nil
}

// restore gives a file back as it was. Folders that are gone are created as the site's own.
func restore(asked moveRequest) (any, error) {
	at, err := placesOf(asked)
	if err != nil {
		return nil, err
	}
	parent, err := openOrMake(at.html, at.parent, asked)
	if err != nil {
		return nil, err
	}
	kept, err := describe(at.quarantine, asked.ID)
	if err != nil {
		// It may have been restored a moment ago.
		if back, err := describe(parent, at.name); err == nil {
			return back, nil
		}
		return nil, problem{"gone"}
	}
	return kept, rename(at.quarantine, asked.ID, parent, at.name)
}

func openOrMake(html int, path string, asked moveRequest) (int, error) {
	current := html
	for _, name := range strings.Split(path, "/") {
		next, err := openBeneath(current, name, syscall.O_RDONLY|syscall.O_DIRECTORY)
		if err == syscall.ENOENT {
			made := "/proc/self/fd/" + strconv.Itoa(current) + "/" + name
			if err := os.Mkdir(made, 0o755); err != nil {
				return -1, err
			}
			if err := os.Lchown(made, asked.UID, asked.GID); err != nil {
				return -1, err
			}
			next, err = openBeneath(current, name, syscall.O_RDONLY|syscall.O_DIRECTORY)
		}
		if err != nil {
			return -1, err
		}
		current = next
	}
	return current, nil
}

// drop deletes a file in quarantine for good; harmless when it is gone.
func drop(asked moveRequest) (any, error) {
	if strings.ContainsAny(asked.ID, "/.") || asked.ID == "" {
		return nil, problem{"name_invalid"}
	}
	err := os.Remove(aroundSite + "/quarantine/" + asked.ID)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return map[string]bool{"ok": true}, nil
}
