package ptbr

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"razao/internal/data/cnpj"
)

// TestNames formats invented names as publishers write them.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range []struct{ published, company, person, street string }{
		{published: "PADARIA ESTRELA DO SUL LTDA", company: "Padaria Estrela do Sul Ltda."},
		{published: "PADARIA ESTRELA DO SUL LTDA.", company: "Padaria Estrela do Sul Ltda."},
		{published: "PADARIA ESTRELA DO SUL LTDA ME", company: "Padaria Estrela do Sul Ltda. ME"},
		{published: "PADARIA ESTRELA DO SUL LTDA - EPP", company: "Padaria Estrela do Sul Ltda. - EPP"},
		{published: "MERCADO BOA ESPERANCA EIRELI", company: "Mercado Boa Esperanca Eireli"},
		{published: "COMPANHIA FICTICIA DE ACOS S/A", company: "Companhia Ficticia de Acos S.A."},
		{published: "COMPANHIA FICTICIA DE ACOS S.A.", company: "Companhia Ficticia de Acos S.A."},
		{published: "COMPANHIA FICTICIA DE ACOS S.A", company: "Companhia Ficticia de Acos S.A."},
		{published: "COMPANHIA FICTICIA DE ACOS SA", company: "Companhia Ficticia de Acos S.A."},
		{published: "ACOS FICTICIOS SA EM RECUPERACAO JUDICIAL", company: "Acos Ficticios S.A. em Recuperacao Judicial"},
		{published: "ACOS FICTICIOS LTDA EM LIQUIDACAO", company: "Acos Ficticios Ltda. em Liquidacao"},
		{published: "ACOS S/A (EM LIQUIDACAO)", company: "Acos S.A. (em Liquidacao)"},
		{published: "MERCEARIA DE SA", company: "Mercearia de Sa"},
		{published: "BRF S/A", company: "BRF S.A."},
		{published: "XPTO PARTICIPACOES II S.A.", company: "Xpto Participacoes II S.A."},
		{published: "AUTO POSTO XV DE NOVEMBRO LTDA", company: "Auto Posto XV de Novembro Ltda."},
		{published: "CLINICA JOAO XXIII SOCIEDADE SIMPLES S/S", company: "Clinica Joao XXIII Sociedade Simples S/S"},
		{published: "EDIFICIO BELA VISTA IV SPE LTDA", company: "Edificio Bela Vista IV SPE Ltda."},
		{published: "CLINICA SANTA RITA S/C LTDA", company: "Clinica Santa Rita S/C Ltda."},
		{published: "J. P. DA SILVA TRANSPORTES", company: "J. P. da Silva Transportes"},
		{published: "J.P. SILVA & FILHOS", company: "J.P. Silva & Filhos"},
		{published: "SILVA&FILHOS COMERCIO", company: "Silva&Filhos Comercio"},
		{published: "C&A FICTICIA", company: "C&A Ficticia"},
		{published: "JB COMERCIO DE ROUPAS", company: "JB Comercio de Roupas"},
		{published: "3M DE MENTIRA LTDA", company: "3M de Mentira Ltda."},
		{published: "FARMACIA 24H", company: "Farmacia 24H"},
		{published: "APOIO A CRIANCA E AO IDOSO", company: "Apoio a Crianca e ao Idoso"},
		{published: "CONDOMINIO BLOCO A LTDA", company: "Condominio Bloco A Ltda."},
		{published: "MADEIRAS DO PARA LTDA", company: "Madeiras do Para Ltda."},
		{published: "TUDO PARA FESTAS", company: "Tudo para Festas"},
		{published: "A CASA DO PAO", company: "A Casa do Pao"},
		{published: "DE TUDO UM POUCO", company: "De Tudo Um Pouco"},
		{published: "PREFEITURA DE LUGAR NENHUM - SE", company: "Prefeitura de Lugar Nenhum - SE"},
		{published: "SINDICATO FICTICIO (BA)", company: "Sindicato Ficticio (BA)"},
		{published: "MERCADO CAMPINAS/SP", company: "Mercado Campinas/SP"},
		{published: "RETIRO SE DEUS QUISER", company: "Retiro Se Deus Quiser"},
		{published: "FUNDO FICTICIO FIDC", company: "Fundo Ficticio FIDC"},
		{published: "POSTO DE SAUDE DO SUS", company: "Posto de Saude do SUS"},
		{published: "LOJA VIRTUAL FICTICIA.COM.BR", company: "Loja Virtual Ficticia.com.br"},
		{published: "BAR DO MCDONALD", company: "Bar do Mcdonald"},
		{published: "DONA'S MODAS", company: "Dona's Modas"},
		{published: "ME AJUDA CONSERTOS", company: "Me Ajuda Consertos"},
		{published: "AJUDA ME CONSERTOS", company: "Ajuda Me Consertos"},
		{published: "CASA D'AGUA LTDA", company: "Casa D'Agua Ltda."},
		{published: "E-COMERCIO DE JI-PARANA", company: "E-Comercio de Ji-Parana"},
		{published: "IRMÃOS GONÇALVES LTDA", company: "Irmãos Gonçalves Ltda."},
		{published: "Padaria Mista LTDA", company: "Padaria Mista LTDA"},
		{published: "eBazar", company: "eBazar"},
		{published: "ANA DE TAL ***456789**", company: "Ana de Tal ***456789**"},
		{published: "", company: ""},
		{published: "123", company: "123"},

		{published: "JOAO DA SILVA E SOUZA", person: "Joao da Silva e Souza"},
		{published: "MARIA D'AVILA DOS SANTOS", person: "Maria D'Avila dos Santos"},
		{published: "MARIA D'ÁVILA", person: "Maria D'Ávila"},
		{published: "PEDRO A. DE SA", person: "Pedro A. de Sa"},
		{published: "PEDRO A DE SA", person: "Pedro A de Sa"},
		{published: "JOSE DOS ANJOS E DOS REIS JR", person: "Jose dos Anjos e dos Reis Jr"},
		{published: "DOM PEDRO III DE MENTIRA", person: "Dom Pedro III de Mentira"},
		{published: "HANS VON FICTICIO", person: "Hans von Ficticio"},
		{published: "LI NG", person: "Li Ng"},
		{published: "SUS ANA LED", person: "Sus Ana Led"},
		{published: "ANA SOUZA-LIMA", person: "Ana Souza-Lima"},
		{published: "ÉRICA CONCEIÇÃO", person: "Érica Conceição"},

		{published: "RUA XV DE NOVEMBRO", street: "Rua XV de Novembro"},
		{published: "RODOVIA BR 101 KM 12", street: "Rodovia BR 101 km 12"},
		{published: "QD 12 LT 3", street: "Qd 12 Lt 3"},
		{published: "BLOCO B", street: "Bloco B"},
		{published: "S/N", street: "s/n"},
		{published: "SALA 12-A", street: "Sala 12-A"},
		{published: "JD DAS ROSAS", street: "Jd das Rosas"},
		{published: "RUA DOUTOR A. B. DE MENTIRA", street: "Rua Doutor A. B. de Mentira"},
		{published: "AVENIDA DOS ESTADOS", street: "Avenida dos Estados"},
		{published: "RODOVIA SP-330", street: "Rodovia SP-330"},
	} {
		for _, c := range []struct {
			of        string
			got, want string
		}{
			{"company", Company(name.published), name.company}, {"person", Person(name.published), name.person}, {"street", Street(name.published), name.street},
		} {
			if c.want != "" && c.got != c.want {
				t.Errorf("%s %q: %q, want %q", c.of, name.published, c.got, c.want)
			}
		}
	}
}

// TestHolders: only the company's own root is removed, and never if it is the whole name.
func TestHolders(t *testing.T) {
	t.Parallel()
	root, err := cnpj.ParseRoot("12345678")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		published  string
		individual bool
		want       string
	}{
		{"12.345.678 ANA DE TAL", true, "Ana de Tal"},
		{"12345678 ANA DE TAL", true, "Ana de Tal"},
		{"87.654.321 ANA DE TAL", true, "87.654.321 Ana de Tal"},
		{"123456789 ANA DE TAL", true, "123456789 Ana de Tal"},
		{"12.345.678", true, "12.345.678"},
		{"12.345.678 ", true, "12.345.678 "},
		{"12.345.678 Ana de Tal", true, "Ana de Tal"},
		{"ANA DE TAL ***456789**", true, "Ana de Tal ***456789**"},
		{"ANA SA", true, "Ana Sa"},
		{"ANA SA", false, "Ana S.A."},
	} {
		if got := Holder(root, c.published, c.individual); got != c.want {
			t.Errorf("%q: %q, want %q", c.published, got, c.want)
		}
	}
}

// TestOfficialTexts: unknown texts are unchanged, and tables do not share texts.
func TestOfficialTexts(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{Motive("INAPTIDAO (LEI 11.941/2009 ART.54)"), "Inaptidão (Lei 11.941/2009, art. 54)"},
		{Motive("MOTIVO QUE NAO EXISTE"), "MOTIVO QUE NAO EXISTE"},
		{Country("BRASIL"), "Brasil"},
		{Country("ESTADOS UNIDOS"), "Estados Unidos"},
		{Country("EL SALVADOR"), "El Salvador"},
		{Country("FRANCA"), "França"},
		{Value("NAO"), "Não"},
		{Value("SOLIDARIO"), "Solidário"},
		{Value("FRANCA"), "FRANCA"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
	for key, written := range officialTexts {
		if written == "" || capitals(written) && len(written) > 3 {
			t.Errorf("%s %q is written %q", key.table, key.published, written)
		}
	}
}

// letters returns the letters, case folded, and digits of a text.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, text)
}

// FuzzNames: a name keeps its letters, formatting is idempotent, and only points are added.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{"PADARIA LTDA", "ACOS S/A", "D'AVILA & CIA. LTDA-ME", "S.A. S/A SA", "ÍNDIO ǅ İ", "A\xffB DE C", "'", "X.Y&Z", "S/N KM 3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, published string) {
		for name, write := range map[string]func(string) string{"company": Company, "person": Person, "street": Street} {
			got := write(published)
			if again := write(got); again != got {
				t.Errorf("%s of %q: %q, again %q", name, published, got, again)
			}
			if want := letters(published); letters(got) != want {
				t.Errorf("%s of %q: %q has other letters", name, published, got)
			}
			if utf8.ValidString(published) && !utf8.ValidString(got) {
				t.Errorf("%s of %q: %q is no text", name, published, got)
			}
			if most := utf8.RuneCountInString(published)*3/2 + 1; utf8.RuneCountInString(got) > most {
				t.Errorf("%s of %q: %q is too long", name, published, got)
			}
		}
	})
}

func BenchmarkCompany(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Company("COMERCIO DE ALIMENTOS ESTRELA DO SUL LTDA - EPP")
	}
}
