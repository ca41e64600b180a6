"""Lê uma empresa com todas as páginas de sócios, de estabelecimentos e de cada fonte.

Uso: RAZAO_URL=… RAZAO_CHAVE=rz_… python3 empresa.py 12345678
"""
import json
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


def consultar(caminho):
    """Devolve dados; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503."""
    pedido = urllib.request.Request(
        os.environ["RAZAO_URL"] + caminho,
        headers={"Authorization": "Bearer " + os.environ["RAZAO_CHAVE"]},
    )
    for tentativa in range(4):
        try:
            with abrir(pedido, timeout=30) as resposta:
                return json.load(resposta)["dados"]
        except urllib.error.HTTPError as erro:
            if erro.code not in (429, 503) or tentativa == 3:
                sys.exit(f"{erro.code} {erro.headers['Location'] or json.load(erro)['erro']['mensagem']}")
            time.sleep(int(erro.headers["Retry-After"]))


def percorrer(pagina):
    """Produz os itens de uma coleção, desta página até a última."""
    yield from pagina["itens"]
    while pagina["proxima_url"]:
        pagina = consultar(pagina["proxima_url"])
        yield from pagina["itens"]


dados = consultar(f"/v2/empresas/{sys.argv[1]}/full?limite=100")
print(dados["empresa"]["razao_social"])
print("socios", len(list(percorrer(dados["empresa"]["socios"]))))
print("estabelecimentos", len(list(percorrer(dados["estabelecimentos"]))))
for grupo in dados["registros_publicos"].values():
    for fonte, pagina in grupo.items():
        if pagina["status"] in ("encontrado", "sem_ocorrencia"):
            print(fonte, len(list(percorrer(pagina))))
        else:
            print(fonte, pagina["status"])  # não se sabe: não é o mesmo que não haver
