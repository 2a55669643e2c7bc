package main

import (
	"encoding/binary"
	"io"
)

// Input in frames of a length and that many bytes; one of length 0 is the end. Input that was cut off never looks whole.
type frames struct {
	source  io.Reader
	left    uint32
	isEnded bool
}

func (f *frames) Read(into []byte) (int, error) {
	for f.left == 0 {
		if f.isEnded {
			return 0, io.EOF
		}
		var length [4]byte
		if _, err := io.ReadFull(f.source, length[:]); err != nil {
			return 0, io.ErrUnexpectedEOF
		}
		f.left = binary.BigEndian.Uint32(length[:])
		f.isEnded = f.left == 0
	}
	if uint32(len(into)) > f.left {
		into = into[:f.left]
	}
	n, err := f.source.Read(into)
	f.left -= uint32(n)
	if err == io.EOF && (f.left > 0 || !f.isEnded) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// readAll refuses more than the limit instead of cutting it off.
func (f *frames) readAll(maxBytes int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, problem{Code: "cut_off"}
	}
	if int64(len(data)) > maxBytes {
		return nil, problem{Code: "too_large"}
	}
	return data, nil
}
