package file

import (
	"strings"
)

// An attr is one extended attribute. POSIX access lists are attributes too.
type attr struct{ name, value string }

// carried reports whether replacing a file keeps an attribute of that name,
// and needed whether it must. Security labels follow where the system lets
// them: what a file may do (security.capability) is lost on purpose, like
// setuid, as it is whenever somebody writes to the file.
func carried(name string) (is, needed bool) {
	switch {
	case strings.HasPrefix(name, "user."), name == accessList:
		return true, true
	case name == "security.selinux", name == "security.SMACK64":
		return true, false
	}
	return false, false
}

// accessList is the attribute that holds the POSIX access list of a file.
const accessList = "system.posix_acl_access"

// ownList reports whether an access list of Windows, in the language for
// security descriptors, says more than what a new file in the same folder gets:
// it is protected from the folder's, or has an entry that is not inherited.
func ownList(sddl string) bool {
	_, list, ok := strings.Cut(sddl, "D:")
	if !ok {
		return false
	}
	flags, entries, _ := strings.Cut(list, "(")
	if strings.Contains(flags, "P") || strings.Contains(flags, "NO_ACCESS_CONTROL") {
		return true
	}
	for entry := range strings.SplitSeq(entries, "(") {
		if _, rest, ok := strings.Cut(entry, ";"); ok {
			if how, _, _ := strings.Cut(rest, ";"); !strings.Contains(how, "ID") {
				return true
			}
		}
	}
	return false
}
