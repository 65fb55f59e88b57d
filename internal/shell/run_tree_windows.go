package shell

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A tree is what belongs to one command, or to all commands of one owner: jobs,
// which whatever their processes start belongs to as well and cannot leave. A
// job that nobody has open any more is ended by the system, so that nothing
// outlives zuno.
type tree struct{ jobs []windows.Handle }

// newTree puts a command that was started suspended into a job of its own, and
// lets it go on. When that cannot be done it is ended: it has not run yet.
func newTree(p *os.Process, _ string) (tree, error) {
	job, err := newJob()
	if err == nil {
		if err = into(job, p.Pid); err == nil {
			err = resume(p.Pid)
		}
		if err == nil {
			return tree{[]windows.Handle{job}}, nil
		}
		_ = windows.CloseHandle(job)
	}
	err = fmt.Errorf("put the command into a job, so that it can be stopped: %w", err)
	return tree{}, errors.Join(err, p.Kill())
}

// newJob makes a job that ends when its last handle is closed.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return 0, errors.Join(err, windows.CloseHandle(job))
	}
	return job, nil
}

func into(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	return errors.Join(windows.AssignProcessToJobObject(job, h), windows.CloseHandle(h))
}

// resume lets a suspended process go on. It has one thread yet, whose handle
// package os does not keep.
func resume(pid int) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(all) }() // nothing was changed through it
	t := windows.ThreadEntry32{}
	t.Size = uint32(unsafe.Sizeof(t))
	for err = windows.Thread32First(all, &t); err == nil; err = windows.Thread32Next(all, &t) {
		if int(t.OwnerProcessID) != pid {
			continue
		}
		h, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, t.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(h)
		return errors.Join(err, windows.CloseHandle(h))
	}
	return errors.New("it has no thread")
}

// treeOf returns what belongs to an owner: what its commands have left.
func treeOf(left []tree, _ string, _ uint64) tree {
	var t tree
	for _, l := range left {
		t.jobs = append(t.jobs, l.jobs...)
	}
	return t
}

// release closes the jobs, which ends what is left in them.
func (t tree) release() {
	for _, j := range t.jobs {
		_ = windows.CloseHandle(j) // there is nothing to be done about it
	}
}

// members lists what is alive. The host of a console is none: it ends with the
// last program that has the console.
func (t tree) members() []process {
	var live []process
	for _, j := range t.jobs {
		for _, pid := range pidsOf(j) {
			if !consoleHost(commandLine(int(pid))) {
				live = append(live, process{pid: int(pid)})
			}
		}
	}
	return live
}

func consoleHost(program string) bool {
	dir, err := windows.GetSystemDirectory()
	return err == nil && strings.EqualFold(program, dir+`\conhost.exe`)
}

// pidsOf asks for JOBOBJECT_BASIC_PROCESS_ID_LIST of <winnt.h>: two counts, and
// as many numbers as there is room for.
func pidsOf(job windows.Handle) []uintptr {
	for room := 64; ; room *= 4 {
		buf := make([]uintptr, 1+room)
		if unsafe.Sizeof(buf[0]) < 8 {
			buf = make([]uintptr, 2+room)
		}
		err := windows.QueryInformationJobObject(job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&buf[0])), uint32(len(buf))*uint32(unsafe.Sizeof(buf[0])), nil)
		counts := (*[2]uint32)(unsafe.Pointer(&buf[0]))
		ids := buf[len(buf)-room:]
		switch {
		case errors.Is(err, windows.ERROR_MORE_DATA) && room < 1<<16:
			continue
		case err != nil && !errors.Is(err, windows.ERROR_MORE_DATA):
			return nil
		}
		return slices.Clone(ids[:min(int(counts[1]), len(ids))])
	}
}

// groupAlive reports whether the job has a member.
func (t tree) groupAlive() bool { return len(t.members()) > 0 }

// end stops every member. There is no way to ask a program without a console to
// leave, so it is killed at once. It returns the pids that are left.
func (t tree) end(_ time.Duration, _, exited <-chan struct{}) []int {
	return killed(exited, func() []process {
		for _, j := range t.jobs {
			_ = windows.TerminateJobObject(j, killedExit) // members says what is left
		}
		return t.members()
	})
}

// killedExit is the exit status of what zuno ends, as on Unix.
const killedExit = 137
