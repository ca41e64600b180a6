#!/bin/sh
# Lê uma empresa com todas as páginas de sócios, de estabelecimentos e de cada fonte, e grava uma página por linha.
# Uso: RAZAO_URL=… RAZAO_CHAVE=rz_… sh empresa.sh 12345678 > empresa.jsonl
set -eu

resposta=$(mktemp)
trap 'rm -f "$resposta"' EXIT

# Depois de 429 ou 503 o curl espera o que Retry-After manda e tenta de novo, no máximo três vezes. A resposta vai para um arquivo,
# que cada tentativa recomeça: as recusadas não ficam nele.
consultar() {
	curl -sS --fail-with-body --retry 3 -o "$resposta" -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL$1" ||
		{ cat "$resposta" >&2; exit 1; }
}

consultar /v2/fontes
fontes=$(grep -o '"id":"[a-z_]*"' "$resposta" | cut -d '"' -f 4)
for colecao in socios estabelecimentos $(echo "$fontes" | sed 's|^|fontes/|'); do
	pagina="/v2/empresas/$1/$colecao?limite=100"
	while [ -n "$pagina" ]; do
		consultar "$pagina"
		printf '%s\n' "$(cat "$resposta")"
		pagina=$(sed -n 's/.*"proxima_url":"\([^"]*\)".*/\1/p' "$resposta")
	done
done
