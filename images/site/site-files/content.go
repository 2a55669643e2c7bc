package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
)

// An answer whose bytes follow its line.
type streamed interface{ send(out io.Writer) error }

type content struct {
	Etag  string `json:"etag"`
	Entry entry  `json:"entry"`
	Size  int64  `json:"size"`
	bytes []byte
}

func (c content) send(out io.Writer) error {
	_, err := out.Write(c.bytes)
	return err
}

func read(root *root, asked request, _ *frames) (any, error) {
	file, info, err := root.openFile(asked.Path)
	if err != nil {
		return nil, at(asked.Path, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, asked.MaxBytes+1))
	if err != nil {
		return nil, at(asked.Path, err)
	}
	if int64(len(data)) > asked.MaxBytes {
		return nil, problem{Code: "too_large", Path: asked.Path}
	}
	_, name := split(asked.Path)
	return content{etagOf(data), describe(name, info, ""), int64(len(data)), data}, nil
}

func etagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

type written struct {
	Etag  string `json:"etag"`
	Entry entry  `json:"entry"`
}

// write checks everything before the file that is there is touched, and then replaces it in one step.
func write(root *root, asked request, input *frames) (any, error) {
	data, err := input.readAll(asked.MaxBytes)
	if err != nil {
		return nil, err
	}
	place, err := root.placeOf(asked.Path)
	if err != nil {
		return nil, err
	}
	defer place.close()
	if err := checkReplaceable(place, asked); err != nil {
		return nil, err
	}
	if asked.Lint {
		if err := lint(asked.Path, data); err != nil {
			return nil, err
		}
	}
	err = replace(place, func(file *os.File) error {
		_, err := file.Write(data)
		return err
	}, func() (bool, error) {
		// Once more, as late as possible: checking the syntax took a while.
		return !isCreateOnly(asked), checkReplaceable(place, asked)
	})
	if err != nil {
		return nil, createOnlyLost(asked, err)
	}
	shown, err := entryAt(place)
	return written{etagOf(data), shown}, err
}

func isCreateOnly(asked request) bool {
	return len(asked.IfNoneMatch) == 1 && asked.IfNoneMatch[0] == "*"
}

func createOnlyLost(asked request, err error) error {
	if isCreateOnly(asked) && problemOf(err).Code == "exists" {
		return problem{Code: "condition_failed", Path: asked.Path}
	}
	return err
}

func checkReplaceable(place place, asked request) error {
	info, err := place.lstat()
	if codeOf(err) == "not_found" {
		if asked.IfMatch != nil {
			return problem{Code: "condition_failed", Path: place.path}
		}
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return problem{Code: "is_link", Path: place.path}
	}
	if !info.Mode().IsRegular() {
		return problem{Code: "not_file", Path: place.path}
	}
	if asked.IfMatch == nil && asked.IfNoneMatch == nil {
		return nil
	}
	etag, err := etagAt(place)
	if err != nil {
		return err
	}
	if (asked.IfMatch != nil && !matches(asked.IfMatch, etag)) || matches(asked.IfNoneMatch, etag) {
		return problem{Code: "condition_failed", Path: place.path, Etag: etag}
	}
	return nil
}

func matches(wanted []string, etag string) bool {
	for _, each := range wanted {
		if each == "*" || each == etag {
			return true
		}
	}
	return false
}

func etagAt(place place) (string, error) {
	file, err := openNoFollow(place.folder, place.name, syscall.O_RDONLY)
	if err != nil {
		return "", at(place.path, err)
	}
	if file, _, err = regular(place.path, file); err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", at(place.path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

var parseError = regexp.MustCompile(`(?s)(?:Parse|Fatal) error: *(.{1,500}?) in (?:Standard input code|-|php://stdin) on line (\d{1,9})`)

func lint(path string, data []byte) error {
	check := exec.Command("php", "-n", "-d", "display_errors=stderr", "-d", "log_errors=0", "-d", "html_errors=0", "-l")
	check.Dir = "/"
	check.Stdin = bytes.NewReader(data)
	output, err := check.CombinedOutput()
	var exited *exec.ExitError
	if err == nil || !errors.As(err, &exited) {
		return err
	}
	found := parseError.FindSubmatch(output)
	if found == nil {
		return problem{Code: "syntax", Path: path, Message: "PHP can't parse this file"}
	}
	line, _ := strconv.Atoi(string(found[2]))
	return problem{Code: "syntax", Path: path, Message: string(found[1]), Line: line}
}
