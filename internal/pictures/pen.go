package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The size of a cell and of the margin around all, in pixels.
const (
	cellW, cellH = 9, 19
	margin       = 14
	baseline     = 14
	points       = 15
)

// A cell is a place of the screen.
type cell struct {
	text      string
	fg, bg    color.Color // nil is the terminal's own
	attrs     uint8
	underline bool
}

// A grid is the screen, row by row.
type grid [][]cell

// The colours of the terminal in the pictures.
var (
	ink   = color.RGBA{0xd8, 0xde, 0xe9, 0xff}
	paper = color.RGBA{0x1b, 0x1f, 0x27, 0xff}
)

// A pen draws grids.
type pen struct{ plain, bold font.Face }

func newPen() (*pen, error) {
	var p pen
	for _, f := range []struct {
		to   *font.Face
		data []byte
	}{{&p.plain, gomono.TTF}, {&p.bold, gomonobold.TTF}} {
		parsed, err := opentype.Parse(f.data)
		if err != nil {
			return nil, fmt.Errorf("read the font: %w", err)
		}
		if *f.to, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: points, DPI: 72, Hinting: font.HintingFull}); err != nil {
			return nil, fmt.Errorf("read the font: %w", err)
		}
	}
	return &p, nil
}

// write draws g into a PNG file.
func (p *pen) write(path string, g grid) error {
	img := p.draw(g)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		_ = f.Close() // err is the reason
		return err
	}
	return f.Close()
}

func (p *pen) draw(g grid) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, len(g[0])*cellW+2*margin, len(g)*cellH+2*margin))
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	for y, row := range g {
		for x, c := range row {
			p.cell(img, margin+x*cellW, margin+y*cellH, c)
		}
	}
	return img
}

// cell draws one cell with its top left corner at x, y.
func (p *pen) cell(img *image.RGBA, x, y int, c cell) {
	fg, bg := shade(c.fg, ink), shade(c.bg, paper)
	if c.attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if c.attrs&uv.AttrFaint != 0 {
		fg = between(fg, bg)
	}
	if bg != paper {
		draw.Draw(img, image.Rect(x, y, x+cellW, y+cellH), image.NewUniform(bg), image.Point{}, draw.Src)
	}
	if c.underline {
		draw.Draw(img, image.Rect(x, y+baseline+2, x+cellW, y+baseline+3), image.NewUniform(fg), image.Point{}, draw.Src)
	}
	if c.text == "" || c.text == " " {
		return
	}
	if lines, ok := strokes(c.text); ok {
		for _, l := range lines {
			stroke(img, x, y, l, fg)
		}
		return
	}
	face := p.plain
	if c.attrs&uv.AttrBold != 0 {
		face = p.bold
	}
	d := font.Drawer{Dst: img, Src: image.NewUniform(fg), Face: face, Dot: fixed.P(x, y+baseline)}
	d.DrawString(c.text)
}

// sixteen are the colours that a terminal has by itself.
var sixteen = [16]color.RGBA{
	{0x3b, 0x42, 0x52, 0xff},
	{0xe0, 0x6c, 0x75, 0xff},
	{0x98, 0xc3, 0x79, 0xff},
	{0xe5, 0xc0, 0x7b, 0xff},
	{0x61, 0xaf, 0xef, 0xff},
	{0xc6, 0x78, 0xdd, 0xff},
	{0x56, 0xb6, 0xc2, 0xff},
	{0xd8, 0xde, 0xe9, 0xff},
	{0x7f, 0x84, 0x8e, 0xff},
	{0xff, 0x8b, 0x94, 0xff},
	{0xb5, 0xe8, 0x90, 0xff},
	{0xff, 0xd8, 0x8f, 0xff},
	{0x82, 0xc8, 0xff, 0xff},
	{0xe0, 0x9b, 0xff, 0xff},
	{0x74, 0xd8, 0xe6, 0xff},
	{0xff, 0xff, 0xff, 0xff},
}

func shade(c color.Color, otherwise color.RGBA) color.RGBA {
	if c == nil {
		return otherwise
	}
	if basic, ok := c.(ansi.BasicColor); ok && int(basic) < len(sixteen) {
		return sixteen[basic]
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

func between(a, b color.RGBA) color.RGBA {
	mix := func(x, y uint8) uint8 { return uint8((int(x)*3 + int(y)*2) / 5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}
