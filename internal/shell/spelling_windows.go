package shell

// systemSpelling is that of Windows.
func systemSpelling() spelling { return onWindows }
