#!/bin/sh
# Lê uma lista de CNPJs de 14 posições, um por linha, e grava uma linha de JSON para cada um.
# Uso: RAZAO_URL=… RAZAO_CHAVE=rz_… sh lista.sh < cnpjs.txt > respostas.jsonl

# Depois de 429 ou 503 o curl espera o que Retry-After manda; com --fail, o corpo de um erro não vai para o arquivo.
while read -r cnpj; do
	resposta=$(curl -sS --fail --retry 3 -H "Authorization: Bearer $RAZAO_CHAVE" "$RAZAO_URL/v2/estabelecimentos/$cnpj/basic") &&
		printf '%s\n' "$resposta" || echo "$cnpj não foi lido" >&2
done
