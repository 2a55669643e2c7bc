package main

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// What is known of the files of a site: WordPress, and plugins and themes as their authors published them.

type tree struct {
	Kind    string `json:"kind"`
	Slug    string `json:"slug"`
	Version string `json:"version"`
	// Below it are the paths of `sums`.
	Prefix string `json:"prefix"`
	// Nothing else belongs into these folders, given below the prefix; the whole of it is "".
	Closed []string `json:"closed"`
	// MD5 or SHA-256 that each file may have.
	Sums map[string][]string `json:"sums"`
	// Files below it may have been replaced by newer ones.
	Loose string `json:"loose"`
}

// A file that the panel wrote.
type owned struct {
	Path   string `json:"path"`
	Sum    string `json:"sum"`
	Except string `json:"except"`
}

type item struct {
	Kind    string `json:"kind"`
	Slug    string `json:"slug"`
	Version string `json:"version"`
}

type match struct {
	Kind     string `json:"kind"`
	Rule     string `json:"rule"`
	Label    string `json:"label"`
	Severity string `json:"severity"`
	Line     int    `json:"line,omitempty"`
	Excerpt  string `json:"excerpt,omitempty"`
}

type verdict struct {
	isGood bool
	item   *item
	match  *match
}

// judge holds a file against what is known.
func judge(trees []tree, path, md5, sha256 string) verdict {
	for at := range trees {
		each := &trees[at]
		below := strings.TrimPrefix(path, each.Prefix)
		if !strings.HasPrefix(path, each.Prefix) {
			continue
		}
		of := &item{each.Kind, each.Slug, each.Version}
		sums, isListed := each.Sums[below]
		switch {
		case isListed && (contains(sums, md5) || contains(sums, sha256)):
			return verdict{isGood: true}
		case isListed && (each.Loose == "" || !strings.HasPrefix(below, each.Loose)):
			return verdict{item: of, match: changed(path)}
		case !isListed && isClosed(each.Closed, below):
			if !isExecutable(path) {
				return verdict{item: of}
			}
			return verdict{item: of, match: &match{Kind: "unknown", Rule: "unknown_file", Severity: "suspicious",
				Label: "Not one of the files that " + titleOf(each) + " has"}}
		}
	}
	return verdict{}
}

func changed(path string) *match {
	severity := "notice"
	if isExecutable(path) {
		severity = "suspicious"
	}
	return &match{Kind: "changed", Rule: "changed_file", Label: "Changed since it was published", Severity: severity}
}

func titleOf(of *tree) string {
	if of.Kind == "core" {
		return "WordPress " + of.Version
	}
	return of.Slug + " " + of.Version
}

func isClosed(folders []string, below string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(below, folder) {
			return true
		}
	}
	return false
}

func contains(list []string, wanted string) bool {
	for _, each := range list {
		if each == wanted {
			return true
		}
	}
	return false
}

// isAsWritten leaves out the lines that differ from site to site.
func (o owned) isAsWritten(content []byte) bool {
	except, err := regexp.Compile(o.Except)
	if err != nil {
		return false
	}
	kept := []string{}
	for _, line := range strings.Split(string(content), "\n") {
		if !except.MatchString(line) {
			kept = append(kept, line)
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(kept, "\n")))
	return hex.EncodeToString(sum[:]) == o.Sum
}
