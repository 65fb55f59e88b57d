package file

import (
	le "encoding/binary"
	"errors"
	"path/filepath"
	"unsafe"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/windows"
)

// stat returns the state of base of d, itself and without what is in it.
func (d dir) stat(base string) (state, error) {
	fd, err := d.at(base, windows.FILE_READ_ATTRIBUTES|windows.SYNCHRONIZE, 0, shareAll, windows.FILE_OPEN, 0)
	if err != nil {
		return state{}, err
	}
	defer func() { _ = closeFile(fd) }() // nothing was written through it
	return statOf(fd)
}

// The permissions that a file has here: it may be written to or not. There are
// no bits to execute it, and none for others.
const (
	modeFile   = 0o666
	modeFixed  = 0o444
	modeFolder = 0o777
)

func statOf(fd int) (state, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(fd), &info); err != nil {
		return state{}, err
	}
	written := info.LastWriteTime.Nanoseconds()
	s := state{
		kind:  tools.Regular,
		id:    identity{uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)},
		stamp: stamp{int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow), written / 1e9, written % 1e9},
		mode:  modeFile,
		links: uint64(info.NumberOfLinks),
	}
	tag, link, err := linkOf(fd)
	kind, _ := windows.GetFileType(windows.Handle(fd)) // what it cannot say is no file
	switch {
	case err != nil:
		return state{}, err
	case tag == windows.IO_REPARSE_TAG_SYMLINK:
		s.kind = tools.Link
	case link, kind != windows.FILE_TYPE_DISK:
		s.kind = tools.Absent // junctions and devices are neither made nor removed
	case info.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0:
		s.kind, s.mode = tools.Folder, modeFolder
	case info.FileAttributes&windows.FILE_ATTRIBUTE_READONLY != 0:
		s.mode = modeFixed
	}
	return s, nil
}

// linkOf returns the tag of an open file that stands for something else, 0 when
// it does not, and whether that is another place. Files that are fetched when
// they are needed have a tag too, and are files.
func linkOf(fd int) (tag uint32, link bool, err error) {
	var info struct{ attributes, tag uint32 }
	err = windows.GetFileInformationByHandleEx(windows.Handle(fd), windows.FileAttributeTagInfo, (*byte)(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil || info.attributes&windows.FILE_ATTRIBUTE_REPARSE_POINT == 0 {
		return 0, false, err
	}
	const nameSurrogate = 1 << 29 // IsReparseTagNameSurrogate of <ntifs.h>
	return info.tag, info.tag&nameSurrogate != 0, nil
}

// notFile names what s is when that is no regular file.
func (s state) notFile() string {
	switch s.kind {
	case tools.Regular:
		return ""
	case tools.Folder:
		return "a directory"
	case tools.Link:
		return "a symbolic link"
	}
	return "a junction or a device"
}

// readlink returns what the symbolic link base of d leads to. Its data is
// REPARSE_DATA_BUFFER of <ntifs.h>.
func (d dir) readlink(base string) ([]byte, error) {
	fd, err := d.at(base, windows.FILE_READ_ATTRIBUTES|windows.SYNCHRONIZE, 0, shareAll, windows.FILE_OPEN, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = closeFile(fd) }() // nothing was written through it
	buf := make([]byte, windows.MAXIMUM_REPARSE_DATA_BUFFER_SIZE)
	var n uint32
	if err := windows.DeviceIoControl(windows.Handle(fd), windows.FSCTL_GET_REPARSE_POINT, nil, 0, &buf[0], uint32(len(buf)), &n, nil); err != nil {
		return nil, err
	}
	return linkTarget(buf[:n])
}

func linkTarget(data []byte) ([]byte, error) {
	const names = 20 // after the tag, two lengths, four offsets and lengths, and flags
	bad := errors.New("it is a link that cannot be read")
	if len(data) < names || le.LittleEndian.Uint32(data) != windows.IO_REPARSE_TAG_SYMLINK {
		return nil, bad
	}
	at, size := names+int(le.LittleEndian.Uint16(data[12:])), int(le.LittleEndian.Uint16(data[14:])) // the name to show
	if size == 0 {
		at, size = names+int(le.LittleEndian.Uint16(data[8:])), int(le.LittleEndian.Uint16(data[10:]))
	}
	if at+size > len(data) || size%2 != 0 {
		return nil, bad
	}
	text := make([]uint16, size/2)
	for i := range text {
		text[i] = le.LittleEndian.Uint16(data[at+2*i:])
	}
	return []byte(windows.UTF16ToString(text)), nil
}

// mayWrite is nil unless it is certain that the system would not let the file
// at a real path be written to, or a folder's names be changed.
func mayWrite(real string, folder bool) error {
	d, err := openDir(filepath.Dir(real))
	if err != nil {
		return nil // what comes next says so
	}
	defer d.close()
	if s, err := d.stat(filepath.Base(real)); err == nil && s.mode == modeFixed {
		return windows.ERROR_ACCESS_DENIED
	}
	access := uint32(windows.FILE_WRITE_DATA)
	if folder {
		access |= 0x40 // FILE_DELETE_CHILD of <winnt.h>; of a folder, writing data is adding files
	}
	fd, err := d.at(filepath.Base(real), access|windows.SYNCHRONIZE, 0, shareAll, windows.FILE_OPEN, 0)
	switch {
	case err == nil:
		_ = closeFile(fd) // nothing was written through it
	case errors.Is(err, windows.ERROR_ACCESS_DENIED), errors.Is(err, windows.ERROR_WRITE_PROTECT):
		return err
	}
	return nil
}
