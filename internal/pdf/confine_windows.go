package pdf

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// own is the memory in bytes that the program takes without a document.
const own = 128 << 20

// confine bounds the memory in bytes that this process may use and the seconds of
// processor time, by a job that ends with it.
func confine(memory, seconds uint64) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("bound the process: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{ProcessMemoryLimit: uintptr(memory + own)}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_PROCESS_TIME
	limits.BasicLimitInformation.PerProcessUserTimeLimit = int64(seconds) * 1e7 // in units of 100 ns
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return fmt.Errorf("bound the process: %w", err)
	}
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return fmt.Errorf("bound the process: %w", err)
	}
	return nil // the job stays open as long as the process
}
