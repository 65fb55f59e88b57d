package store

// BoundContents sets the bound on the contents that are kept.
func (s *Store) BoundContents(bytes, every int64) { s.keptBytes, s.trimEvery = bytes, every }
