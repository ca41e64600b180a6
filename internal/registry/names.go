package registry

import (
	"razao/internal/record"
	"razao/internal/registry/pack"
)

type (
	Company             = record.Company
	Establishment       = record.Establishment
	Partner             = record.Partner
	Simples             = record.Simples
	Cents               = record.Cents
	Flag                = record.Flag
	Date                = record.Date
	Domain              = record.Domain
	Domains             = record.Domains
	Provenance          = record.Provenance
	SourceFile          = record.SourceFile
	Head                = pack.Head
	Parts               = pack.Parts
	PartnerCursor       = pack.PartnerCursor
	EstablishmentCursor = pack.EstablishmentCursor
	Dictionary          = pack.Dictionary
	Item                = pack.Item
	ItemOwner           = pack.ItemOwner
)

const (
	NoCents            = record.NoCents
	Unknown            = record.Unknown
	No                 = record.No
	Yes                = record.Yes
	DomainCNAE         = record.DomainCNAE
	DomainMotivo       = record.DomainMotivo
	DomainMunicipio    = record.DomainMunicipio
	DomainNatureza     = record.DomainNatureza
	DomainPais         = record.DomainPais
	DomainQualificacao = record.DomainQualificacao
	DomainPorte        = record.DomainPorte
	DomainSituacao     = record.DomainSituacao
	DomainMatrizFilial = record.DomainMatrizFilial
	DomainSocio        = record.DomainSocio
	DomainFaixaEtaria  = record.DomainFaixaEtaria
)

var (
	MakeDate            = record.MakeDate
	IsIndividual        = record.IsIndividual
	ErrCorrupt          = pack.ErrCorrupt
	AppendRows          = pack.AppendRows
	AppendCompany       = pack.AppendCompany
	AppendSimples       = pack.AppendSimples
	AppendPartner       = pack.AppendPartner
	AppendEstablishment = pack.AppendEstablishment
	DecodeHead          = pack.DecodeHead
	DecodeCompany       = pack.DecodeCompany
	DecodeSimples       = pack.DecodeSimples
	DecodePartner       = pack.DecodePartner
	DecodeEstablishment = pack.DecodeEstablishment
	AppendItem          = pack.AppendItem
	AppendItemRows      = pack.AppendItemRows
)
