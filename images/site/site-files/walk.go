package main

import (
	"io"
	"os"
	"syscall"
)

// How deep folders may lie in each other; every level holds a descriptor.
const deepest = 400

// walk visits everything in a folder, each folder before what is in it. It follows no link, and what goes meanwhile is
// left out.
func walk(folder *os.File, path string, visit func(place, os.FileInfo) error) error {
	return walkDown(folder, path, 0, visit)
}

func walkDown(folder *os.File, path string, depth int, visit func(place, os.FileInfo) error) error {
	if depth > deepest {
		return problem{Code: "too_deep", Path: path}
	}
	for {
		names, err := folder.Readdirnames(1024)
		for _, name := range names {
			if err := visitOne(place{folder, name, join(path, name)}, depth, visit); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return at(path, err)
		}
	}
}

func visitOne(each place, depth int, visit func(place, os.FileInfo) error) error {
	info, err := os.Lstat(each.at())
	if codeOf(err) == "not_found" {
		return nil
	}
	if err != nil {
		return at(each.path, err)
	}
	if err := visit(each, info); err != nil {
		return err
	}
	if !info.IsDir() {
		return nil
	}
	child, err := openNoFollow(each.folder, each.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
	if code := codeOf(err); code == "not_found" || code == "not_folder" || code == "is_link" {
		return nil
	}
	if err != nil {
		return at(each.path, err)
	}
	defer child.Close()
	return walkDown(child, each.path, depth+1, visit)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}
