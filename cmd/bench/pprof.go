package main

import (
	"compress/gzip"
	"errors"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// parseProfile reads the pprof format: a gzipped message Profile of profile.proto.
func parseProfile(r io.Reader) (*profile, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	message, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	w := wireProfile{locations: map[uint64][]uint64{}, names: map[uint64]uint64{}}
	if err := eachField(message, w.field); err != nil {
		return nil, err
	}
	return w.resolve()
}

// wireProfile is a profile in which everything still goes by number.
type wireProfile struct {
	samples   []wireSample
	locations map[uint64][]uint64 // id → functions, innermost first
	names     map[uint64]uint64   // function id → string
	texts     []string
}

type wireSample struct{ locations, values []uint64 }

// field takes one field of Profile.
func (w *wireProfile) field(number protowire.Number, _ uint64, data []byte) error {
	switch number {
	case 2:
		return w.sample(data)
	case 4:
		return w.location(data)
	case 5:
		return w.function(data)
	case 6: // string_table
		w.texts = append(w.texts, string(data))
	}
	return nil
}

// sample takes a Sample: 1 location ids, 2 values.
func (w *wireProfile) sample(data []byte) error {
	var s wireSample
	err := eachField(data, func(number protowire.Number, value uint64, packed []byte) error {
		switch number {
		case 1:
			s.locations = appendNumbers(s.locations, value, packed)
		case 2:
			s.values = appendNumbers(s.values, value, packed)
		}
		return nil
	})
	w.samples = append(w.samples, s)
	return err
}

// location takes a Location: 1 id, 4 lines, several where functions are inlined: 1 function id.
func (w *wireProfile) location(data []byte) error {
	var id uint64
	var functions []uint64
	line := func(number protowire.Number, value uint64, _ []byte) error {
		if number == 1 {
			functions = append(functions, value)
		}
		return nil
	}
	err := eachField(data, func(number protowire.Number, value uint64, data []byte) error {
		switch number {
		case 1:
			id = value
		case 4:
			return eachField(data, line)
		}
		return nil
	})
	w.locations[id] = functions
	return err
}

// function takes a Function: 1 id, 2 name.
func (w *wireProfile) function(data []byte) error {
	var id, name uint64
	err := eachField(data, func(number protowire.Number, value uint64, _ []byte) error {
		switch number {
		case 1:
			id = value
		case 2:
			name = value
		}
		return nil
	})
	w.names[id] = name
	return err
}

// resolve replaces numbers by names. The second value of a sample is CPU time in nanoseconds.
func (w *wireProfile) resolve() (*profile, error) {
	p := &profile{}
	for _, s := range w.samples {
		if len(s.values) != 2 {
			return nil, errors.New("not a CPU profile")
		}
		out := cpuSample{cpu: time.Duration(s.values[1])}
		for _, location := range s.locations {
			for _, function := range w.locations[location] {
				name := w.names[function]
				if name >= uint64(len(w.texts)) {
					return nil, errors.New("damaged: a name is missing")
				}
				out.stack = append(out.stack, plain(w.texts[name]))
			}
		}
		p.samples = append(p.samples, out)
		p.total += out.cpu
	}
	return p, nil
}

// eachField visits the fields of a message: numbers as value, everything with a length as data.
func eachField(message []byte, visit func(number protowire.Number, value uint64, data []byte) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		var value uint64
		var data []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			data, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if err := visit(number, value, data); err != nil {
			return err
		}
	}
	return nil
}

// appendNumbers appends a repeated number, which is written alone or packed with others.
func appendNumbers(dst []uint64, value uint64, packed []byte) []uint64 {
	if packed == nil {
		return append(dst, value)
	}
	for len(packed) > 0 {
		value, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return dst
		}
		dst = append(dst, value)
		packed = packed[n:]
	}
	return dst
}
