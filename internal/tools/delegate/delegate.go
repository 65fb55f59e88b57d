// Package delegate holds the tools that have other agents work.
package delegate
