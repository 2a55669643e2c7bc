package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// The one place where a path becomes a descriptor.

const (
	sysOpenat2 = 437

	resolveNoMagicLinks = 0x02
	resolveNoSymlinks   = 0x04
	resolveBeneath      = 0x08

	oPath           = 0x200000
	renameNoReplace = 1
	renameExchange  = 2

	// How often a path is resolved again that was changed meanwhile.
	resolveTries = 64
)

type openHow struct{ flags, mode, resolve uint64 }

type root struct{ *os.File }

func openRoot(path string) (*root, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &root{os.NewFile(uintptr(fd), fdPath(fd))}, nil
}

func openedRoot(folder *os.File) *root { return &root{folder} }

// open never blocks on a pipe, and fails where a link leads out of the folder.
func (r *root) open(path string, flags int) (*os.File, error) {
	return r.resolve(path, flags, resolveBeneath|resolveNoMagicLinks)
}

// openPlain follows no link at all, not even within the folder.
func (r *root) openPlain(path string, flags int) (*os.File, error) {
	return r.resolve(path, flags|syscall.O_NOFOLLOW, resolveBeneath|resolveNoSymlinks)
}

func (r *root) resolve(path string, flags int, resolve uint64) (*os.File, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if path == "" {
		path = "."
	}
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return nil, problem{Code: "name_invalid"}
	}
	how := openHow{flags: uint64(flags | syscall.O_CLOEXEC | syscall.O_NONBLOCK), resolve: resolve}
	if flags&oPath != 0 {
		how.flags = uint64(flags | syscall.O_CLOEXEC)
	}
	for tries := 0; ; tries++ {
		fd, _, errno := syscall.Syscall6(sysOpenat2, r.Fd(), uintptr(unsafe.Pointer(name)),
			uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
		runtime.KeepAlive(name)
		if errno == 0 {
			return os.NewFile(fd, fdPath(int(fd))), nil
		}
		if (errno != syscall.EAGAIN && errno != syscall.EINTR) || tries == resolveTries {
			return nil, at(path, errno)
		}
	}
}

func (r *root) openFolder(path string) (*os.File, error) {
	return r.open(path, syscall.O_RDONLY|syscall.O_DIRECTORY)
}

// openFile gives a regular file and nothing else.
func (r *root) openFile(path string) (*os.File, os.FileInfo, error) {
	file, err := r.open(path, syscall.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	return regular(path, file)
}

func regular(path string, file *os.File) (*os.File, os.FileInfo, error) {
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = problem{Code: "not_file", Path: path}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// A name within an open folder. Calls that act on a name itself, such as a rename, take place; opening follows nothing.
type place struct {
	folder *os.File
	name   string
	path   string
}

// placeOf is never the folder of the site itself.
func (r *root) placeOf(path string) (place, error) {
	if path == "" {
		return place{}, problem{Code: "is_root"}
	}
	if err := checkPath(path); err != nil {
		return place{}, err
	}
	parent, name := split(path)
	folder, err := r.openFolder(parent)
	if err != nil {
		return place{}, at(path, err)
	}
	return place{folder, name, path}, nil
}

func (p place) close() { p.folder.Close() }

// The last part is one name, so nothing before it can be swapped.
func (p place) at() string { return fdPath(int(p.folder.Fd())) + "/" + p.name }

func (p place) lstat() (os.FileInfo, error) {
	info, err := os.Lstat(p.at())
	return info, at(p.path, err)
}

func openNoFollow(folder *os.File, name string, flags int) (*os.File, error) {
	fd, err := syscall.Openat(int(folder.Fd()), name, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), fdPath(fd)), nil
}

func renameWithout(from, to place) error { return renameAs(from, to, renameNoReplace) }

func renameAs(from, to place, flags uintptr) error {
	oldName, err := syscall.BytePtrFromString(from.name)
	if err != nil {
		return err
	}
	newName, err := syscall.BytePtrFromString(to.name)
	if err != nil {
		return err
	}
	_, _, errno := syscall.Syscall6(sysRenameat2, from.folder.Fd(), uintptr(unsafe.Pointer(oldName)),
		to.folder.Fd(), uintptr(unsafe.Pointer(newName)), flags, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func rename(from, to place, overwrite bool) error {
	if overwrite {
		return os.Rename(from.at(), to.at())
	}
	return renameWithout(from, to)
}

func checkPath(path string) error {
	if path == "" {
		return nil
	}
	for _, name := range strings.Split(path, "/") {
		if name == "" || name == "." || name == ".." || strings.ContainsRune(name, 0) || len(name) > 255 {
			return problem{Code: "name_invalid", Path: path}
		}
	}
	return nil
}

func split(path string) (parent, name string) {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		return path[:slash], path[slash+1:]
	}
	return "", path
}

func fdPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }
