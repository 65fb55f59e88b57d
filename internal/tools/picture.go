package tools

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// PictureType tells the pictures that models take from their first bytes; "" for what
// is none. What a name or a server says of it does not count: providers look too.
func PictureType(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return "image/gif"
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// PictureFault says what is wrong with a picture that is not whole, "" when nothing
// is seen to be. A provider refuses such a one, and with it the whole request. The
// frame is looked at, and nothing is decoded.
func PictureFault(data []byte) string {
	whole := false
	switch PictureType(data) {
	case "image/png":
		return pngFault(data)
	case "image/jpeg":
		whole = jpegEnds(data)
	case "image/gif":
		whole = len(data) > 13 && bytes.IndexByte(data[13:], ',') >= 0 // a screen, and an image on it
	case "image/webp":
		whole = len(data) >= 20 && int(binary.LittleEndian.Uint32(data[4:]))+8 <= len(data)+1
	default:
		return "it is no picture"
	}
	if !whole {
		return cutOff
	}
	return ""
}

const cutOff = "it is cut off"

// pngFault goes from chunk to chunk (RFC 2083, 3.2), each with a checksum.
func pngFault(data []byte) string {
	for at, first := 8, true; ; first = false {
		if len(data) < at+12 {
			return cutOff
		}
		length := binary.BigEndian.Uint32(data[at:])
		if length > 1<<31-1 || len(data)-at-12 < int(length) {
			return cutOff
		}
		kind, end := string(data[at+4:at+8]), at+8+int(length)
		if crc32.ChecksumIEEE(data[at+4:end]) != binary.BigEndian.Uint32(data[end:]) {
			return "it is damaged"
		}
		switch {
		case first && kind != "IHDR":
			return "it is damaged"
		case kind == "IEND":
			return ""
		}
		at = end + 4
	}
}

// jpegEnds goes from segment to segment (ITU T.81, B.1) to the scan, and looks for
// the end behind it.
func jpegEnds(data []byte) bool {
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xff {
			return false
		}
		marker := data[at+1]
		switch {
		case marker == 0xff: // a fill byte
			at++
			continue
		case marker == 0xda:
			return bytes.Contains(data[at:], []byte{0xff, 0xd9})
		}
		at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
	}
	return false
}
