package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"strings"
)

const mostCoreBytes = 1 << 30

// unpackCore unpacks a release of WordPress, but not its plugins and themes: those of the site are its own.
func unpackCore(target *root, input io.Reader) error {
	zipped, err := gzip.NewReader(input)
	if err != nil {
		return problem{Code: "not_archive"}
	}
	reader := tar.NewReader(io.LimitReader(zipped, mostCoreBytes))
	for {
		header, err := reader.Next()
		if err == io.EOF {
			// The checksum of the whole stands at its end.
			_, err = io.Copy(io.Discard, zipped)
			return at("", err)
		}
		if err != nil {
			return refused("", "it cannot be unpacked")
		}
		if err := unpackCoreEntry(target, header, reader); err != nil {
			return err
		}
	}
}

func unpackCoreEntry(target *root, header *tar.Header, content io.Reader) error {
	name, isBelow := strings.CutPrefix(strings.TrimSuffix(header.Name, "/"), "wordpress/")
	if !isBelow || name == "wp-content" || strings.HasPrefix(name, "wp-content/") {
		return nil
	}
	if why := whyBadName(name); why != "" {
		return refused(name, why)
	}
	if header.Typeflag == tar.TypeDir {
		return makeFolders(target, name)
	}
	if header.Typeflag != tar.TypeReg {
		return refused(name, "it is a link or a special file")
	}
	out, err := createBelow(target, name)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = io.Copy(out, content)
	return at(name, err)
}
