package main

import (
	"archive/zip"
	"io"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

type zipped struct {
	Files int `json:"files"`
	// Links and special files, which are left out.
	Skipped int   `json:"skipped"`
	Entry   entry `json:"entry"`
}

// zipEntries packs entries of one folder into an archive beside them, which gets its name when it is whole.
func zipEntries(root *root, asked request, _ *frames) (any, error) {
	target, err := root.placeOf(asked.To)
	if err != nil {
		return nil, at(asked.To, err)
	}
	defer target.close()
	if err := checkFree(target, asked.Overwrite); err != nil {
		return nil, err
	}
	packing := packing{}
	defer packing.close()
	for _, path := range asked.Paths {
		place, err := root.placeOf(path)
		if err != nil {
			return nil, at(path, err)
		}
		packing.places = append(packing.places, place)
		if _, err := place.lstat(); err != nil {
			return nil, err
		}
	}
	err = replace(target, packing.write, func() (bool, error) { return asked.Overwrite, checkFree(target, asked.Overwrite) })
	if err != nil {
		return nil, err
	}
	shown, err := entryAt(target)
	return zipped{packing.files, packing.skipped, shown}, err
}

type packing struct {
	places         []place
	out            *zip.Writer
	files, skipped int
}

func (p *packing) close() {
	for _, each := range p.places {
		each.close()
	}
}

func (p *packing) write(file *os.File) error {
	p.out = zip.NewWriter(file)
	for _, each := range p.places {
		info, err := each.lstat()
		if err != nil {
			return err
		}
		if err := p.add(place{each.folder, each.name, each.name}, info); err != nil {
			return err
		}
		if !info.IsDir() {
			continue
		}
		inner, err := openNoFollow(each.folder, each.name, syscall.O_RDONLY|syscall.O_DIRECTORY)
		if err != nil {
			return at(each.path, err)
		}
		err = walk(inner, each.name, p.add)
		inner.Close()
		if err != nil {
			return err
		}
	}
	return p.out.Close()
}

func (p *packing) add(each place, info os.FileInfo) error {
	if !utf8.ValidString(each.path) || strings.Contains(each.path, `\`) || strings.ContainsFunc(each.path, unicode.IsControl) {
		return problem{Code: "name_unpackable", Path: each.path}
	}
	header := &zip.FileHeader{Name: each.path, Method: zip.Deflate, Modified: info.ModTime()}
	header.SetMode(info.Mode() & (os.ModePerm | os.ModeDir))
	if info.IsDir() {
		header.Name += "/"
		header.Method = zip.Store
		_, err := p.out.CreateHeader(header)
		return err
	}
	if !info.Mode().IsRegular() {
		p.skipped++
		return nil
	}
	return p.addFile(each, header)
}

func (p *packing) addFile(each place, header *zip.FileHeader) error {
	source, err := openNoFollow(each.folder, each.name, syscall.O_RDONLY)
	if err == nil {
		source, _, err = regular(each.path, source)
	}
	if code := codeOf(err); code == "not_found" || code == "is_link" || code == "not_file" {
		p.skipped++
		return nil
	}
	if err != nil {
		return at(each.path, err)
	}
	defer source.Close()
	out, err := p.out.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, source)
	p.files++
	return at(each.path, err)
}
