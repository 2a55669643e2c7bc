package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

type search struct {
	Query      string `json:"query"`
	InContent  bool   `json:"inContent"`
	MatchCase  bool   `json:"matchCase"`
	IsRegex    bool   `json:"isRegex"`
	Include    string `json:"include"`
	MaxMatches int    `json:"maxMatches"`
	TimeoutMs  int    `json:"timeoutMs"`
}

type match struct {
	Path string `json:"path"`
	Kind string `json:"kind,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"`
}

type matched struct {
	Matches   []match `json:"matches"`
	Truncated bool    `json:"truncated"`
	TimedOut  bool    `json:"timedOut"`
}

const longestText = 300

func searchFiles(root *root, asked request, _ *frames) (any, error) {
	folder, err := root.openFolder(asked.Path)
	if err != nil {
		return nil, at(asked.Path, err)
	}
	defer folder.Close()
	limit, cancel := context.WithTimeout(context.Background(), time.Duration(asked.Search.TimeoutMs)*time.Millisecond)
	defer cancel()
	found := matched{Matches: []match{}}
	if asked.Search.InContent {
		err = searchContent(limit, folder, asked, &found)
	} else {
		err = searchNames(limit, folder, asked, &found)
	}
	found.TimedOut = limit.Err() == context.DeadlineExceeded
	return found, err
}

// add says whether more may come.
func (m *matched) add(one match, limit int) bool {
	if len(m.Matches) == limit {
		m.Truncated = true
		return false
	}
	m.Matches = append(m.Matches, one)
	return true
}

func searchNames(limit context.Context, folder *os.File, asked request, found *matched) error {
	name, err := namePattern(asked.Search)
	if err != nil {
		return problem{Code: "bad_pattern"}
	}
	include, err := globPattern(asked.Search.Include)
	if err != nil {
		return problem{Code: "bad_glob"}
	}
	err = walk(folder, asked.Path, func(place place, info os.FileInfo) error {
		if limit.Err() != nil {
			return io.EOF
		}
		if !utf8.ValidString(place.path) || !name.MatchString(place.name) || !include.MatchString(place.name) {
			return nil
		}
		if !found.add(match{Path: place.path, Kind: kindOf(info)}, asked.Search.MaxMatches) {
			return io.EOF
		}
		return nil
	})
	if err == io.EOF {
		return nil
	}
	return err
}

func namePattern(search search) (*regexp.Regexp, error) {
	pattern := search.Query
	if !search.IsRegex {
		pattern = regexp.QuoteMeta(pattern)
	}
	if !search.MatchCase {
		pattern = "(?i)" + pattern
	}
	return regexp.Compile(pattern)
}

var globParts = regexp.MustCompile(`\*+|\?|\[[^\]]+\]|\{[^{}]*\}|[^*?\[{]+|[\[{]`)

// globPattern knows *, ?, [set] and {one,another}. No glob lets everything pass.
func globPattern(glob string) (*regexp.Regexp, error) {
	if glob == "" {
		return regexp.Compile("")
	}
	pattern := globParts.ReplaceAllStringFunc(glob, func(part string) string {
		switch part[0] {
		case '*':
			return ".*"
		case '?':
			return "."
		case '[':
			if len(part) > 1 {
				return "[" + strings.Replace(regexp.QuoteMeta(part[1:len(part)-1]), "!", "^", 1) + "]"
			}
		case '{':
			if len(part) > 1 {
				return "(?:" + strings.ReplaceAll(regexp.QuoteMeta(part[1:len(part)-1]), ",", "|") + ")"
			}
		}
		return regexp.QuoteMeta(part)
	})
	return regexp.Compile("^(?s:" + pattern + ")$")
}

// searchContent lets ripgrep search: it stops at no pattern, follows no link and skips what is no text.
func searchContent(limit context.Context, folder *os.File, asked request, found *matched) error {
	words := []string{"--json", "--no-config", "--no-ignore", "--hidden", "--no-messages", "--max-columns=0", "--max-count=50", "--regexp=" + asked.Search.Query}
	if !asked.Search.IsRegex {
		words = append(words, "--fixed-strings")
	}
	if !asked.Search.MatchCase {
		words = append(words, "--ignore-case")
	}
	if asked.Search.Include != "" {
		words = append(words, "--glob="+asked.Search.Include)
	}
	ripgrep := exec.CommandContext(limit, "rg", append(words, "--", ".")...)
	ripgrep.Dir = fdPath(int(folder.Fd()))
	var complaint strings.Builder
	ripgrep.Stderr = &complaint
	output, err := ripgrep.StdoutPipe()
	if err != nil {
		return err
	}
	if err := ripgrep.Start(); err != nil {
		return err
	}
	collect(output, &lines{root: openedRoot(folder)}, asked, found)
	ripgrep.Process.Signal(syscall.SIGKILL)
	ripgrep.Wait()
	if len(found.Matches) == 0 && strings.Contains(complaint.String(), "error parsing glob") {
		return problem{Code: "bad_glob"}
	}
	if len(found.Matches) == 0 && strings.Contains(complaint.String(), "regex") {
		return problem{Code: "bad_pattern"}
	}
	return nil
}

// collect takes from ripgrep only where something was found: it opens by path, so what it read may lie elsewhere.
func collect(output io.Reader, lines *lines, asked request, found *matched) {
	events := bufio.NewScanner(output)
	events.Buffer(make([]byte, 64*1024), 32*1024*1024)
	for events.Scan() {
		var event struct {
			Type string `json:"type"`
			Data struct {
				Path struct {
					// Absent when it is not UTF-8: such a path cannot be given back to anyone.
					Text string `json:"text"`
				} `json:"path"`
				LineNumber int `json:"line_number"`
				Submatches []struct {
					Start int `json:"start"`
				} `json:"submatches"`
			} `json:"data"`
		}
		if json.Unmarshal(events.Bytes(), &event) != nil || event.Type != "match" || event.Data.Path.Text == "" {
			continue
		}
		start := 0
		if len(event.Data.Submatches) > 0 {
			start = event.Data.Submatches[0].Start
		}
		path := strings.TrimPrefix(event.Data.Path.Text, "./")
		line, isThere := lines.text(path, event.Data.LineNumber)
		if !isThere {
			continue
		}
		one := match{Path: join(asked.Path, path), Kind: "file", Line: event.Data.LineNumber, Text: excerpt(line, start)}
		if !found.add(one, asked.Search.MaxMatches) {
			return
		}
	}
}

// excerpt is a piece of the line with the match in it.
func excerpt(line string, start int) string {
	line = strings.TrimRight(line, "\r\n")
	if len(line) <= longestText {
		return strings.ToValidUTF8(line, "\uFFFD")
	}
	from := max(0, min(start-longestText/4, len(line)-longestText))
	return strings.ToValidUTF8(line[from:from+longestText], "")
}
