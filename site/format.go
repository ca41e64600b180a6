package site

import (
	"html/template"

	"razao/internal/ptbr"
	"razao/internal/registry"
)

// formats are the functions that templates call to write published values the way people read them.
var formats = template.FuncMap{
	"cep":      ptbr.CEP,
	"cnae":     ptbr.CNAE,
	"count":    ptbr.Count[int64],
	"date":     func(d registry.Date) string { return ptbr.Date(d.Time()) },
	"day":      ptbr.Day,
	"document": ptbr.Document,
	"money":    ptbr.Money[registry.Cents],
	"moment":   ptbr.Moment,
	"month":    ptbr.Month,
	"note":     ptbr.Note,
	"natureza": ptbr.Natureza,
	"position": func(i int) int { return i + 1 },
	"rate":     ptbr.Rate,
	"rounded":  ptbr.Rounded,
	"scope":    formatScope,
	"sum":      ptbr.Sum,
}
