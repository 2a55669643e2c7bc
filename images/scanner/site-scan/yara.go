package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Files are copied before rules look at them: their bytes are those that were hashed, their names are numbers, and a
// site that exchanges them for a pipe has no one waiting.

const (
	batchBytes   = 32 << 20
	batchFiles   = 2000
	batchSeconds = 60
	fileSeconds  = 10
)

type rule struct{ label, severity, on string }

var ruleText = regexp.MustCompile(`(?s)rule (\w+) \{\s+meta:\s+label = "([^"\n]+)"\s+severity = "(\w+)"\s+on = "(\w+)"`)

func readRules() (map[string]rule, error) {
	names, err := filepath.Glob(rulesFolder + "/*.yar")
	if err != nil {
		return nil, err
	}
	rules := map[string]rule{}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, found := range ruleText.FindAllStringSubmatch(string(source), -1) {
			rules[found[1]] = rule{found[2], found[3], found[4]}
		}
	}
	return rules, nil
}

// One copy that rules look at.
type copied struct {
	file *pending
	on   []string
	code []byte
	// Of a layer, 0 for lines of the file.
	line int
	// The file as it is, for what is shown of it.
	source []byte
}

type batch struct {
	rules  map[string]rule
	copies []copied
	bytes  int
	// When the scan has to be over.
	until time.Time
	// Files that took too long.
	onLate func(*pending)
}

func (b *batch) add(each copied) error {
	name := filepath.Join(workFolder, strconv.Itoa(len(b.copies)))
	if err := os.WriteFile(name, each.code, 0o600); err != nil {
		return err
	}
	b.copies = append(b.copies, each)
	b.bytes += len(each.code)
	return nil
}

func (b *batch) isFull() bool { return b.bytes > batchBytes || len(b.copies) > batchFiles }

// run looks at all copies; where that takes too long, at each on its own.
func (b *batch) run() error {
	defer b.clear()
	numbers := make([]int, len(b.copies))
	for at := range numbers {
		numbers[at] = at
	}
	if len(numbers) == 0 {
		return nil
	}
	isInTime, err := b.look(numbers, batchSeconds)
	if err != nil || isInTime {
		return err
	}
	for at := range numbers {
		if time.Now().After(b.until) {
			b.onLate(b.copies[at].file)
			continue
		}
		isInTime, err := b.look(numbers[at:at+1], fileSeconds)
		if err != nil {
			return err
		}
		if !isInTime {
			b.onLate(b.copies[at].file)
		}
	}
	return nil
}

func (b *batch) clear() {
	for at := range b.copies {
		os.Remove(filepath.Join(workFolder, strconv.Itoa(at)))
	}
	b.copies = nil
	b.bytes = 0
}

func (b *batch) look(numbers []int, seconds int) (bool, error) {
	list := filepath.Join(workFolder, "list")
	var names strings.Builder
	for _, number := range numbers {
		fmt.Fprintf(&names, "%s/%d\n", workFolder, number)
	}
	if err := os.WriteFile(list, []byte(names.String()), 0o600); err != nil {
		return false, err
	}
	limit, cancel := context.WithTimeout(context.Background(), time.Duration(seconds)*time.Second)
	defer cancel()
	search := exec.CommandContext(limit, "yara", "-C", "-f", "-w", "-L", "-p", "2", "-a", strconv.Itoa(seconds),
		"--scan-list", rulesFolder+"/compiled", list)
	said, err := search.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := search.Start(); err != nil {
		return false, err
	}
	b.read(bufio.NewScanner(said))
	return search.Wait() == nil, nil
}

// read takes a line for each rule, then lines with the place of each of its strings.
func (b *batch) read(lines *bufio.Scanner) {
	var current *copied
	name := ""
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "0x") {
			if current != nil {
				offset, _, _ := strings.Cut(line[2:], ":")
				at, err := strconv.ParseInt(offset, 16, 64)
				if err == nil {
					current.file.place(name, *current, int(at))
				}
			}
			continue
		}
		var path string
		name, path, _ = strings.Cut(line, " ")
		current = nil
		number, err := strconv.Atoi(filepath.Base(path))
		if err != nil || number >= len(b.copies) {
			continue
		}
		each := &b.copies[number]
		if known, isKnown := b.rules[name]; isKnown && contains(each.on, known.on) {
			each.file.matched(name, known)
			current = each
		}
	}
}

// place keeps the first place at which a rule has matched.
func (p *pending) place(name string, in copied, offset int) {
	for at := range p.found {
		if p.found[at].Rule != name || p.found[at].Line > 0 || offset > len(in.code) {
			continue
		}
		// What stands before a statement, a rule may have taken in.
		for offset < len(in.code) && strings.IndexByte(";{}\n ", in.code[offset]) >= 0 {
			offset++
		}
		line := 1 + bytes.Count(in.code[:offset], []byte{'\n'})
		if in.line > 0 {
			line = in.line
		}
		p.found[at].Line = line
		p.found[at].Excerpt = excerptOf(in, line, offset)
	}
}

func (p *pending) matched(name string, known rule) {
	for _, each := range p.found {
		if each.Rule == name {
			return
		}
	}
	p.found = append(p.found, match{Kind: "malware", Rule: name, Label: known.label, Severity: known.severity})
}

const longestExcerpt = 240

// excerptOf is the line of the file; of a very long one it is the place in the plain form.
func excerptOf(in copied, line, offset int) string {
	if in.line == 0 {
		lines := bytes.SplitN(in.source, []byte{'\n'}, line+1)
		if line <= len(lines) && len(lines[line-1]) <= longestExcerpt {
			return strings.TrimSpace(strings.ToValidUTF8(string(lines[line-1]), "�"))
		}
	}
	end := offset + longestExcerpt
	if end > len(in.code) {
		end = len(in.code)
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(in.code[offset:end]), "�"))
}
