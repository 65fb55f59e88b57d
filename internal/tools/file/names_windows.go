package file

import (
	le "encoding/binary"
	"errors"
	"unsafe"

	"github.com/zuno-dev/zuno/internal/tools"
	"golang.org/x/sys/windows"
)

// create makes the file base of d, which must not be there, for writing. Until
// it is closed nobody else can open it.
func (d dir) create(base string, _ uint32) (int, error) {
	const access = windows.FILE_GENERIC_WRITE | windows.FILE_READ_ATTRIBUTES | windows.READ_CONTROL | windows.WRITE_DAC
	return d.at(base, access, windows.FILE_ATTRIBUTE_NORMAL, 0, windows.FILE_CREATE, windows.FILE_NON_DIRECTORY_FILE)
}

func write(fd int, p []byte) (int, error) { return windows.Write(windows.Handle(fd), p) }

func flush(fd int) error { return windows.FlushFileBuffers(windows.Handle(fd)) }

func closeFile(fd int) error { return windows.CloseHandle(windows.Handle(fd)) }

// dress gives an open file the looks that it is to have, and returns its state.
func dress(fd int, like looks) (state, error) {
	if !like.given {
		return statOf(fd)
	}
	if err := setAttrs(fd, like.attrs); err != nil {
		return state{}, err
	}
	if like.mode&0o200 == 0 {
		if err := addAttributes(fd, windows.FILE_ATTRIBUTE_READONLY); err != nil {
			return state{}, err
		}
	}
	return statOf(fd)
}

// mkdir makes the folder base of d.
func (d dir) mkdir(base string, _ uint32) error {
	fd, err := d.at(base, windows.FILE_READ_ATTRIBUTES|windows.SYNCHRONIZE, windows.FILE_ATTRIBUTE_NORMAL, shareAll, windows.FILE_CREATE, windows.FILE_DIRECTORY_FILE)
	if err != nil {
		return err
	}
	return closeFile(fd)
}

// symlink is an error: most accounts may not make links here, and a link needs
// to know whether it leads to a file or to a folder.
func (d dir) symlink(string, string) error {
	return errors.New("symbolic links are not made on Windows")
}

// fileRenameEx is FileRenameInformationEx of <ntddk.h>.
const fileRenameEx = 65

// rename moves what is at from to a name, in place of what is there.
func (d dir) rename(from string, in dir, to string) error {
	err := d.move(from, in, to, fileRenameEx, windows.FILE_RENAME_REPLACE_IF_EXISTS|windows.FILE_RENAME_POSIX_SEMANTICS)
	if unknownClass(err) {
		return d.move(from, in, to, windows.FileRenameInformation, 1)
	}
	return err
}

// renameNew moves what is at from to a name that must be free.
func renameNew(d dir, from string, in dir, to string) error {
	return d.move(from, in, to, windows.FileRenameInformation, 0)
}

// unknownClass reports that the system or the file system does not know what
// was asked for, and did nothing.
func unknownClass(err error) bool {
	for _, e := range []error{windows.ERROR_INVALID_PARAMETER, windows.ERROR_INVALID_FUNCTION, windows.ERROR_NOT_SUPPORTED, windows.ERROR_CALL_NOT_IMPLEMENTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errors.Is(err, windows.STATUS_INVALID_INFO_CLASS.Errno())
}

// move renames by FILE_RENAME_INFORMATION of <ntifs.h>.
func (d dir) move(from string, in dir, to string, class, flags uint32) error {
	fd, err := d.at(from, windows.DELETE|windows.SYNCHRONIZE, 0, shareAll, windows.FILE_OPEN, 0)
	if err != nil {
		return err
	}
	defer func() { _ = closeFile(fd) }()
	name, err := windows.UTF16FromString(to)
	if err != nil {
		return err
	}
	name = name[:len(name)-1]
	var head struct {
		flags  uint32
		folder windows.Handle
		length uint32
	}
	head.flags, head.folder, head.length = flags, windows.Handle(in.fd), uint32(2*len(name))
	size := int(unsafe.Offsetof(head.length)) + 4
	buf := make([]byte, max(int(unsafe.Sizeof(head)), size+2*len(name)))
	copy(buf, unsafe.Slice((*byte)(unsafe.Pointer(&head)), size))
	for i, c := range name {
		le.LittleEndian.PutUint16(buf[size+2*i:], c)
	}
	var status windows.IO_STATUS_BLOCK
	return plain(windows.NtSetInformationFile(windows.Handle(fd), &status, &buf[0], uint32(len(buf)), class))
}

// remove takes the name base of a thing of a kind out of d.
func (d dir) remove(base string, kind tools.FileKind) error {
	options := uint32(0)
	switch kind {
	case tools.Folder:
		options = windows.FILE_DIRECTORY_FILE
	case tools.Regular:
		options = windows.FILE_NON_DIRECTORY_FILE
	}
	fd, err := d.at(base, windows.DELETE|windows.SYNCHRONIZE, 0, shareAll, windows.FILE_OPEN, options)
	if err != nil {
		return err
	}
	defer func() { _ = closeFile(fd) }()
	var status windows.IO_STATUS_BLOCK
	flags := uint32(windows.FILE_DISPOSITION_DELETE | windows.FILE_DISPOSITION_POSIX_SEMANTICS)
	err = plain(windows.NtSetInformationFile(windows.Handle(fd), &status, (*byte)(unsafe.Pointer(&flags)), 4, windows.FileDispositionInformationEx))
	if unknownClass(err) {
		yes := byte(1)
		err = plain(windows.NtSetInformationFile(windows.Handle(fd), &status, &yes, 1, windows.FileDispositionInformation))
	}
	return err
}

// sync does nothing: Windows has no way to flush a folder. The file system
// keeps a journal of its names.
func (d dir) sync() error { return nil }

// chmod does nothing: a folder has no permissions but its access list, which
// it inherits.
func (d dir) chmod(uint32) error { return nil }
