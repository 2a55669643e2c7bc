package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

const (
	mostEntries    = 100_000
	longestPath    = 4096
	deepestPath    = 100
	freeRatioBytes = 100 << 20
	largestRatio   = 200
	encryptedFlag  = 0x1
)

func refused(path, why string) error {
	return problem{Code: "unsafe_archive", Path: path, Message: why}
}

// An archive of which every entry is known to be harmless.
type archive struct {
	files      []*zip.File
	totalBytes int64
}

// openArchive looks at names, kinds and sizes; `readThrough` then reads every byte. Nothing is written before both.
func openArchive(root *root, path string) (*archive, error) {
	file, info, err := root.openFile(path)
	if err != nil {
		return nil, at(path, err)
	}
	return readArchive(root, path, file, info.Size())
}

func readArchive(root *root, path string, file io.ReaderAt, size int64) (*archive, error) {
	reader, err := zip.NewReader(file, size)
	if err != nil {
		return nil, problem{Code: "not_archive", Path: path}
	}
	if len(reader.File) > mostEntries {
		return nil, refused("", fmt.Sprintf("it has more than %d entries", mostEntries))
	}
	found := &archive{files: reader.File}
	names := map[string]bool{}
	for _, each := range reader.File {
		if err := checkEntry(each, names); err != nil {
			return nil, err
		}
		found.totalBytes += int64(each.UncompressedSize64)
		if found.totalBytes < 0 {
			return nil, refused(each.Name, "it says a size that cannot be")
		}
	}
	if err := checkOverlaps(reader.File, size); err != nil {
		return nil, err
	}
	return found, checkTotals(root, found.totalBytes, size)
}

func checkTotals(root *root, totalBytes, packedBytes int64) error {
	if totalBytes > freeRatioBytes && totalBytes/largestRatio > packedBytes {
		return refused("", fmt.Sprintf("it unpacks to more than %d times its size", largestRatio))
	}
	var disk syscall.Statfs_t
	if err := syscall.Fstatfs(int(root.Fd()), &disk); err != nil {
		return err
	}
	if uint64(totalBytes) > disk.Bavail*uint64(disk.Bsize)/2 {
		return problem{Code: "no_space"}
	}
	return nil
}

// checkEntry knows the names so far: true for a file, false for a folder.
func checkEntry(file *zip.File, names map[string]bool) error {
	isFolder := strings.HasSuffix(file.Name, "/")
	name := strings.TrimSuffix(file.Name, "/")
	if why := whyBadName(name); why != "" {
		return refused(strings.ToValidUTF8(file.Name, "\uFFFD"), why)
	}
	if mode := file.Mode(); mode.Type() != 0 && !(isFolder && mode.IsDir()) {
		return refused(file.Name, "it is a link or a special file")
	}
	if file.Flags&encryptedFlag != 0 {
		return problem{Code: "encrypted", Path: file.Name}
	}
	if file.Method != zip.Store && file.Method != zip.Deflate {
		return problem{Code: "unknown_method", Path: file.Name}
	}
	if isFolder && file.UncompressedSize64 > 0 {
		return refused(file.Name, "it is a folder with content")
	}
	return checkTwice(name, !isFolder, names)
}

func checkTwice(name string, isFile bool, names map[string]bool) error {
	if wasFile, known := names[name]; known && (isFile || wasFile) {
		return refused(name, "the name is in it twice")
	}
	names[name] = isFile
	for parent, _ := split(name); parent != ""; parent, _ = split(parent) {
		if names[parent] {
			return refused(name, "its folder is a file")
		}
		if _, known := names[parent]; known {
			return nil
		}
		names[parent] = false
	}
	return nil
}

func whyBadName(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "its name is not UTF-8"
	case strings.HasPrefix(name, "/") || (len(name) > 1 && name[1] == ':'):
		return "its path is absolute"
	case strings.Contains(name, `\`):
		return "its name has a backslash"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "its name has a control character"
	case len(name) > longestPath || strings.Count(name, "/") >= deepestPath:
		return "its path is too long"
	}
	for _, part := range strings.Split(name, "/") {
		if part == "" || part == "." || part == ".." {
			return "its path leads elsewhere"
		}
		if len(part) > 255 {
			return "its name is too long"
		}
	}
	return ""
}

// checkOverlaps: entries that share their bytes are how a small archive becomes a huge one.
func checkOverlaps(files []*zip.File, sizeBytes int64) error {
	type span struct {
		from, to int64
		name     string
	}
	spans := make([]span, 0, len(files))
	for _, file := range files {
		from, err := file.DataOffset()
		to := from + int64(file.CompressedSize64)
		if err != nil || to < from || to > sizeBytes {
			return refused(file.Name, "its place in the archive cannot be")
		}
		spans = append(spans, span{from, to, file.Name})
	}
	sort.Slice(spans, func(a, b int) bool { return spans[a].from < spans[b].from })
	for at := 1; at < len(spans); at++ {
		if spans[at].from < spans[at-1].to {
			return refused(spans[at].name, "it shares its bytes with another entry")
		}
	}
	return nil
}

// readThrough finds entries that say a wrong size or checksum.
func (a *archive) readThrough(onBytes func(int64)) error {
	for _, file := range a.files {
		if err := unpackTo(io.Discard, file, onBytes); err != nil {
			return err
		}
	}
	return nil
}

// unpackTo never gives more than the entry says.
func unpackTo(out io.Writer, file *zip.File, onBytes func(int64)) error {
	source, err := file.Open()
	if err != nil {
		return refused(file.Name, "it cannot be unpacked")
	}
	defer source.Close()
	bytes, err := io.Copy(out, io.LimitReader(source, int64(file.UncompressedSize64)+1))
	var failed *os.PathError
	if errors.As(err, &failed) {
		return at(file.Name, err)
	}
	if err != nil || uint64(bytes) != file.UncompressedSize64 {
		return refused(file.Name, "its content is not what it says")
	}
	onBytes(bytes)
	return nil
}
