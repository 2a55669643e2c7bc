package main

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sort"
	"strings"
	"syscall"
	"time"
)

const (
	largestFile = 16 << 20
	// Of a larger file its two ends are looked at.
	endBytes      = 1 << 20
	deepestFolder = 200
)

type scanRequest struct {
	Trees []tree  `json:"trees"`
	Owned []owned `json:"owned"`
	// Names the rules, so that what older ones found is looked at again.
	Rules string `json:"rules"`
	// Whether the last scan found nothing.
	WasClean   bool `json:"wasClean"`
	MaxSeconds int  `json:"maxSeconds"`
	MaxFiles   int  `json:"maxFiles"`
}

type leftOut struct {
	Files   int    `json:"files"`
	Example string `json:"example"`
}

type summary struct {
	Files     int                 `json:"files"`
	KnownGood int                 `json:"knownGood"`
	Unchanged int                 `json:"unchanged"`
	Read      int                 `json:"read"`
	Bytes     int64               `json:"bytes"`
	Complete  bool                `json:"complete"`
	LeftOut   map[string]*leftOut `json:"leftOut"`
}

type finding struct {
	match
	Path     string `json:"path"`
	Item     *item  `json:"item"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"`
	SHA256   string `json:"sha256,omitempty"`
}

// A file that rules have to look at.
type pending struct {
	seen  seen
	item  *item
	known *match
	found []match
	// Rules took too long.
	isLate bool
}

type scanner struct {
	asked  scanRequest
	until  time.Time
	before memory
	after  memory
	batch  batch
	waits  []*pending
	sum    summary
	isNew  bool
}

func scan(asked scanRequest) (any, error) {
	rules, err := readRules()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(workFolder, 0o700); err != nil {
		return nil, err
	}
	s := &scanner{asked: asked, until: time.Now().Add(time.Duration(asked.MaxSeconds) * time.Second), before: recall(),
		after: memory{rules: asked.Rules, files: map[string]seen{}}, sum: summary{Complete: true, LeftOut: map[string]*leftOut{}}}
	// The longest prefix is the closest one.
	sort.SliceStable(s.asked.Trees, func(a, b int) bool { return len(s.asked.Trees[a].Prefix) > len(s.asked.Trees[b].Prefix) })
	s.isNew = asked.WasClean && len(s.before.files) > 0
	s.batch = batch{rules: rules, until: s.until, onLate: func(late *pending) {
		if late.isLate {
			return
		}
		late.isLate = true
		s.leave("took too long", late.seen.Path)
		late.found = append(late.found, match{Kind: "malware", Rule: "takes_too_long", Severity: "suspicious",
			Label: "Could not be checked: it takes rules too long"})
	}}
	if err := s.folder(siteFolder, "", 0); err != nil {
		return nil, err
	}
	if err := s.flush(); err != nil {
		return nil, err
	}
	// What could not be kept is read again next time.
	s.after.keep()
	return s.sum, nil
}

func (s *scanner) leave(reason, path string) {
	if s.sum.LeftOut[reason] == nil {
		s.sum.LeftOut[reason] = &leftOut{Example: spell(path)}
	}
	s.sum.LeftOut[reason].Files++
}

func (s *scanner) isOver() bool {
	return time.Now().After(s.until) || s.sum.Files >= s.asked.MaxFiles
}

func (s *scanner) folder(path, below string, depth int) error {
	opened, err := os.OpenFile(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil || depth > deepestFolder {
		s.leave("folders that can't be read", below)
		return nil
	}
	defer opened.Close()
	for {
		names, err := opened.Readdirnames(1024)
		for _, name := range names {
			if s.isOver() {
				s.sum.Complete = false
				s.leave("the time or the number of files was up", join(below, name))
				return nil
			}
			if err := s.entry(path+"/"+name, join(below, name), depth); err != nil {
				return err
			}
		}
		if err != nil || len(names) == 0 {
			return nil
		}
	}
}

func join(below, name string) string {
	if below == "" {
		return name
	}
	return below + "/" + name
}

func (s *scanner) entry(path, below string, depth int) error {
	info, err := os.Lstat(path)
	if err != nil {
		s.leave("names that can't be read", below)
		return nil
	}
	if info.IsDir() {
		return s.folder(path, below, depth+1)
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	s.sum.Files++
	print := fingerprint(below, info)
	before, isKnown := s.before.files[below]
	if isKnown && before.isSame(print) {
		if done := s.again(before); done {
			s.sum.Unchanged++
			return nil
		}
	}
	print.New = isKnown && before.New || !isKnown && s.isNew
	return s.read(path, print)
}

// again tells what is known of a file that has not changed; false when it has to be read once more.
func (s *scanner) again(before seen) bool {
	if before.SHA == "" {
		return false
	}
	said := s.judged(before)
	if said.isGood {
		s.sum.KnownGood++
	} else if !before.Judged || s.before.rules != s.asked.Rules {
		return false
	}
	s.after.files[before.Path] = before
	if !said.isGood {
		s.report(&pending{seen: before, item: said.item, known: said.match, found: before.Found})
	}
	return true
}

func (s *scanner) judged(of seen) verdict {
	for _, own := range s.asked.Owned {
		if own.Path == of.Path {
			if of.Owned {
				return verdict{isGood: true}
			}
			return verdict{match: &match{Kind: "panel", Rule: "panel_file", Severity: "notice", Label: "Changed since the panel wrote it"}}
		}
	}
	return judge(s.asked.Trees, of.Path, of.MD5, of.SHA)
}

func (s *scanner) read(path string, print seen) error {
	readAt := time.Now()
	content, isWhole, err := contentOf(path)
	if err != nil {
		s.leave("files that can't be read", print.Path)
		return nil
	}
	s.sum.Read++
	s.sum.Bytes += int64(len(content))
	if isWhole {
		a, b := md5.Sum(content), sha256.Sum256(content)
		print.MD5, print.SHA = hex.EncodeToString(a[:]), hex.EncodeToString(b[:])
	} else {
		s.leave("larger than 16 MiB: only their ends were read", print.Path)
	}
	for _, own := range s.asked.Owned {
		print.Owned = print.Owned || own.Path == print.Path && own.isAsWritten(content)
	}
	said := s.judged(print)
	waits := &pending{seen: print, item: said.item, known: said.match}
	if said.isGood {
		s.sum.KnownGood++
		s.remember(waits, readAt)
		return nil
	}
	waits.found = append(byPlace(print.Path, content, s.knowsCore()), s.whenNew(print)...)
	waits.seen.Judged = true
	class := classOf(print.Path, content)
	if len(class.on) == 0 {
		s.remember(waits, readAt)
		s.report(waits)
		return nil
	}
	return s.look(waits, class, content, readAt)
}

func (s *scanner) knowsCore() bool {
	for _, each := range s.asked.Trees {
		if each.Kind == "core" {
			return true
		}
	}
	return false
}

func (s *scanner) whenNew(print seen) []match {
	isOwn := strings.HasPrefix(print.Path, "wp-content/plugins/") || strings.HasPrefix(print.Path, "wp-content/themes/") ||
		strings.HasPrefix(print.Path, "wp-content/cache/") || strings.HasPrefix(print.Path, "wp-content/languages/") ||
		strings.HasPrefix(print.Path, "wp-content/upgrade")
	if !print.New || isOwn || !isExecutable(print.Path) {
		return nil
	}
	return []match{{Kind: "new", Rule: "new_file", Severity: "notice", Label: "Came since the last clean scan"}}
}

func (s *scanner) remember(of *pending, readAt time.Time) {
	if of.seen.isSettled(readAt) {
		s.after.files[of.seen.Path] = of.seen
		return
	}
	// It is there, but has to be read again.
	s.after.files[of.seen.Path] = seen{Path: of.seen.Path, New: of.seen.New}
}

func (s *scanner) look(waits *pending, class class, content []byte, readAt time.Time) error {
	copies := []copied{{file: waits, on: class.on, code: content, source: content}}
	if contains(class.on, "page") {
		copies = append(copies, copied{file: waits, on: []string{"page"}, code: plainPage(content), source: content})
	}
	if class.isPHP {
		for _, form := range plainForms(content) {
			copies = append(copies, copied{file: waits, on: form.on, code: form.code, line: form.line, source: content})
		}
	}
	for _, each := range copies {
		if err := s.batch.add(each); err != nil {
			return err
		}
	}
	s.waits = append(s.waits, waits)
	s.remember(waits, readAt)
	if s.batch.isFull() {
		return s.flush()
	}
	return nil
}

func (s *scanner) flush() error {
	if err := s.batch.run(); err != nil {
		return err
	}
	for _, each := range s.waits {
		if kept, isKept := s.after.files[each.seen.Path]; isKept && kept.SHA != "" {
			kept.Found = each.found
			s.after.files[each.seen.Path] = kept
		}
		s.report(each)
	}
	s.waits = nil
	return nil
}

const mostPerFile = 4

// report says what was found in a file. Where malware is certain, lesser signs of it say nothing more, and that a file is
// new says nothing where anything else is wrong with it.
func (s *scanner) report(of *pending) {
	found := append([]match{}, of.found...)
	if of.known != nil {
		found = append(found, *of.known)
	}
	isCertain := false
	for _, each := range found {
		isCertain = isCertain || each.Severity == "confirmed"
	}
	said := 0
	for _, each := range found {
		isLess := isCertain && each.Severity != "confirmed" && each.Kind == "malware" || each.Kind == "new" && len(found) > 1
		if isLess || said == mostPerFile {
			continue
		}
		said++
		say("finding", finding{match: each, Path: spell(of.seen.Path), Item: of.item, Size: of.seen.Size,
			Modified: of.seen.Mod / int64(time.Millisecond), SHA256: of.seen.SHA})
	}
}

// contentOf reads a regular file, or the two ends of one that is too large.
func contentOf(path string) ([]byte, bool, error) {
	file, err := os.OpenFile(path, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, false, problem{Code: "not_file"}
	}
	if info.Size() <= largestFile {
		content, err := io.ReadAll(io.LimitReader(file, largestFile+1))
		return content, len(content) <= largestFile, err
	}
	content := make([]byte, 2*endBytes)
	first, _ := io.ReadFull(file, content[:endBytes])
	last, err := file.ReadAt(content[first:first+endBytes], info.Size()-endBytes)
	if err == io.EOF {
		err = nil
	}
	return content[:first+last], false, err
}
