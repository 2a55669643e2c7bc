package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"syscall"
)

// digest is of the contents of the files named in the input, each ended by a zero byte, in that order. No path leads
// through a link, and what is no regular file any more has changed.
func digest(root *root, _ request, input *frames) (any, error) {
	names := bufio.NewReader(input)
	whole := sha256.New()
	for {
		name, err := names.ReadString(0)
		if err == io.EOF && name == "" {
			return map[string]string{"digest": hex.EncodeToString(whole.Sum(nil))}, nil
		}
		if err != nil {
			return nil, problem{Code: "cut_off"}
		}
		path := name[:len(name)-1]
		sum, err := digestOne(root, path)
		if err != nil {
			return nil, at(path, err)
		}
		whole.Write([]byte(name))
		whole.Write(sum)
	}
}

func digestOne(root *root, path string) ([]byte, error) {
	file, err := root.openPlain(path, syscall.O_RDONLY)
	if err != nil {
		return nil, err
	}
	if file, _, err = regular(path, file); err != nil {
		return nil, err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hash.Sum(nil), err
}
