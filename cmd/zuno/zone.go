package main

import (
	"path/filepath"
	"strings"
)

// localTime is the link to the zone that a machine is set to, where it has one.
const localTime = "/etc/localtime"

// zoneName is the name of the zone of the machine, such as America/New_York, ""
// when nothing says it. Name is what Go calls the zone: it knows what TZ says,
// and reads what the link leads to without keeping its name.
func zoneName(name, link string) string {
	if name != "Local" && !filepath.IsAbs(name) {
		return name
	}
	if name != "Local" {
		link = name
	}
	real, err := filepath.EvalSymlinks(link)
	if err != nil {
		return ""
	}
	_, zone, _ := strings.Cut(filepath.ToSlash(real), "/zoneinfo/")
	return zone
}
