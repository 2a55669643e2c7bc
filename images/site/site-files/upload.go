package main

import (
	"os"
	"syscall"
)

type received struct {
	Received int64 `json:"received"`
	Written  bool  `json:"written"`
}

// appendChunk takes a whole chunk or nothing of it. With the last one the file gets its name.
func appendChunk(root *root, asked request, input *frames) (any, error) {
	data, err := input.readAll(asked.MaxBytes)
	if err != nil {
		return nil, err
	}
	target, err := root.placeOf(asked.Path)
	if err != nil {
		return nil, err
	}
	defer target.close()
	if err := checkFree(target, asked.Overwrite); err != nil {
		return nil, err
	}
	part := partOf(target, asked.ID)
	file, sizeBytes, err := openPart(part, asked.Offset == 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if sizeBytes != asked.Offset {
		return nil, problem{Code: "offset", Bytes: &sizeBytes}
	}
	end := asked.Offset + int64(len(data))
	if end > asked.Size {
		return nil, problem{Code: "too_large", Path: asked.Path}
	}
	if _, err := file.WriteAt(data, asked.Offset); err != nil {
		file.Truncate(asked.Offset)
		return nil, at(asked.Path, err)
	}
	if end < asked.Size {
		return received{end, false}, nil
	}
	return received{end, true}, finishUpload(file, part, target, asked.Overwrite)
}

func finishUpload(file *os.File, part, target place, overwrite bool) error {
	if err := takeLooks(target, file); err != nil {
		return at(target.path, err)
	}
	if err := file.Sync(); err != nil {
		return at(target.path, err)
	}
	if err := checkFree(target, overwrite); err != nil {
		return err
	}
	return at(target.path, rename(part, target, overwrite))
}

func checkFree(target place, overwrite bool) error {
	info, err := target.lstat()
	if codeOf(err) == "not_found" {
		return nil
	}
	if err == nil && (!overwrite || !info.Mode().IsRegular()) {
		return problem{Code: "exists", Path: target.path}
	}
	return err
}

func partOf(target place, id string) place {
	return place{target.folder, ".fleetpress-upload-" + id, target.path}
}

func openPart(part place, isFirst bool) (*os.File, int64, error) {
	flags := syscall.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	if isFirst {
		flags |= syscall.O_CREAT
	}
	fd, err := syscall.Openat(int(part.folder.Fd()), part.name, flags, 0o600)
	if codeOf(err) == "not_found" {
		none := int64(0)
		return nil, 0, problem{Code: "offset", Bytes: &none}
	}
	if err != nil {
		return nil, 0, at(part.path, err)
	}
	file, info, err := regular(part.path, os.NewFile(uintptr(fd), part.name))
	if err != nil {
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func forgetUpload(root *root, asked request, _ *frames) (any, error) {
	target, err := root.placeOf(asked.Path)
	// With its folder the part has gone too.
	if code := codeOf(err); code == "not_found" || code == "not_folder" {
		return map[string]bool{"ok": true}, nil
	}
	if err != nil {
		return nil, err
	}
	defer target.close()
	err = os.Remove(partOf(target, asked.ID).at())
	if codeOf(err) == "not_found" {
		err = nil
	}
	return map[string]bool{"ok": true}, err
}
