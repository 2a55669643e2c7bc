package main

import (
	"bufio"
	"os"
	"syscall"
)

const longestLine = 1 << 20

// lines reads single lines of files, in the order in which they stand, through descriptors that follow no link.
type lines struct {
	root   *root
	path   string
	file   *os.File
	reader *bufio.Reader
	number int
}

// text is not there when the file has changed meanwhile.
func (l *lines) text(path string, number int) (string, bool) {
	if l.file == nil || path != l.path || number <= l.number {
		if !l.open(path) {
			return "", false
		}
	}
	for {
		line, isWhole := l.next()
		if !isWhole && line == "" {
			return "", false
		}
		l.number++
		if l.number == number {
			return line, true
		}
	}
}

func (l *lines) open(path string) bool {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
	file, err := l.root.openPlain(path, syscall.O_RDONLY)
	if err != nil {
		return false
	}
	if file, _, err = regular(path, file); err != nil {
		return false
	}
	l.path, l.file, l.number = path, file, 0
	l.reader = bufio.NewReaderSize(file, 64*1024)
	return true
}

// next gives a line, of a very long one only its beginning.
func (l *lines) next() (string, bool) {
	line := []byte{}
	for {
		piece, err := l.reader.ReadSlice('\n')
		if len(line) < longestLine {
			line = append(line, piece...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		return string(line), err == nil
	}
}
