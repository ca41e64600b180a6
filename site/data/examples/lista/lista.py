"""Lê uma lista de CNPJs de 14 posições, um por linha, e grava uma linha de JSON para cada um.

Uso: RAZAO_URL=… RAZAO_CHAVE=rz_… python3 lista.py < cnpjs.txt > respostas.jsonl
"""
import os
import sys
import time
import urllib.error
import urllib.request


class SemRedirecionar(urllib.request.HTTPRedirectHandler):
    """O urllib levaria a chave a qualquer endereço para onde o servidor redirecionasse."""

    def redirect_request(self, *_):
        return None  # é um erro, como os outros


abrir = urllib.request.build_opener(SemRedirecionar).open


def consultar(cnpj):
    """Devolve a resposta; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503."""
    endereco = os.environ["RAZAO_URL"] + "/v2/estabelecimentos/" + cnpj + "/basic"
    pedido = urllib.request.Request(endereco, headers={"Authorization": "Bearer " + os.environ["RAZAO_CHAVE"]})
    for tentativa in range(4):
        try:
            with abrir(pedido, timeout=30) as resposta:
                return resposta.read().strip()
        except urllib.error.HTTPError as erro:
            if erro.code not in (429, 503) or tentativa == 3:
                raise
            time.sleep(int(erro.headers["Retry-After"]))


for cnpj in sys.stdin.read().split():
    try:
        sys.stdout.buffer.write(consultar(cnpj) + b"\n")
    except urllib.error.HTTPError as erro:
        print(f"{cnpj} não foi lido: {erro.code}", file=sys.stderr)
