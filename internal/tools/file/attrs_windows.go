package file

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What of a file replacing it carries over, besides its content: an access list
// that is not just what its folder gives, and whether it is hidden. Other
// streams are not carried over, so a file that has some is not replaced.
const (
	hiddenAttr = "hidden"
	streams    = "streams"
)

const keptAttributes = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM

// attrsOf returns these of an open file, in order of their names.
func attrsOf(fd int) []attr {
	h := windows.Handle(fd)
	var list []attr
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &info); err == nil && info.FileAttributes&keptAttributes != 0 {
		list = append(list, attr{hiddenAttr, strconv.Itoa(int(info.FileAttributes & keptAttributes))})
	}
	if names := streamsOf(h); len(names) > 0 {
		list = append(list, attr{streams, strings.Join(names, ", ")})
	}
	if sd, err := windows.GetSecurityInfo(h, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION); err == nil {
		if text := sd.String(); ownList(text) {
			list = append(list, attr{accessList, text})
		}
	}
	return list
}

// setAttrs gives an open file attributes. One that cannot be kept is an error.
func setAttrs(fd int, want []attr) error {
	for _, a := range want {
		var err error
		switch a.name {
		case streams:
			return fmt.Errorf("it has other streams (%s), which could not be kept", a.value)
		case hiddenAttr:
			var bits int
			if bits, err = strconv.Atoi(a.value); err == nil {
				err = addAttributes(fd, uint32(bits)&keptAttributes)
			}
		case accessList:
			err = setList(windows.Handle(fd), a.value)
		}
		if err != nil {
			return fmt.Errorf("its %s could not be kept: %w", map[string]string{hiddenAttr: "attributes", accessList: "access list"}[a.name], err)
		}
	}
	return nil
}

func setList(h windows.Handle, text string) error {
	sd, err := windows.SecurityDescriptorFromString(text)
	if err != nil {
		return err
	}
	list, _, err := sd.DACL()
	if err != nil {
		return err
	}
	control, _, err := sd.Control()
	if err != nil {
		return err
	}
	what := windows.SECURITY_INFORMATION(windows.DACL_SECURITY_INFORMATION | windows.UNPROTECTED_DACL_SECURITY_INFORMATION)
	if control&windows.SE_DACL_PROTECTED != 0 {
		what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	return windows.SetSecurityInfo(h, windows.SE_FILE_OBJECT, what, nil, nil, list, nil)
}

// addAttributes sets attributes of an open file, by FILE_BASIC_INFO of
// <winbase.h>, in which a time of 0 is left as it is.
func addAttributes(fd int, bits uint32) error {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(fd), &info); err != nil {
		return err
	}
	basic := struct {
		times      [4]int64
		attributes uint32
		_          uint32
	}{attributes: info.FileAttributes&^windows.FILE_ATTRIBUTE_NORMAL | bits}
	return windows.SetFileInformationByHandle(windows.Handle(fd), windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic)))
}

// streamsOf lists the streams of an open file besides its content, by
// FILE_STREAM_INFO of <winbase.h>. A file system without streams has none.
func streamsOf(h windows.Handle) []string {
	buf := make([]byte, 64<<10)
	if err := windows.GetFileInformationByHandleEx(h, windows.FileStreamInfo, &buf[0], uint32(len(buf))); err != nil {
		return nil
	}
	var names []string
	for len(buf) >= 24 {
		next, size := *(*uint32)(unsafe.Pointer(&buf[0])), int(*(*uint32)(unsafe.Pointer(&buf[4])))
		if size%2 != 0 || 24+size > len(buf) {
			break
		}
		text := string(utf16.Decode(unsafe.Slice((*uint16)(unsafe.Pointer(&buf[24])), size/2)))
		if text != "" && text != "::$DATA" {
			names = append(names, strings.TrimSuffix(text, ":$DATA"))
		}
		if next == 0 || int(next) > len(buf) {
			break
		}
		buf = buf[next:]
	}
	return names
}
