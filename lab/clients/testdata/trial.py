"""Uses the client; the test compares what it prints."""

import sys

from razao import Razao, RazaoError, todos

razao = Razao(sys.argv[1], sys.argv[2])
bakery, chain = "12345678", "11222333"

company = razao.empresa_basic(bakery)["dados"]["empresa"]
print(company["razao_social"], company["capital_social"])

establishments = todos(lambda: razao.empresa_estabelecimentos_itens(chain, limite=50))
print(len(establishments), len({e["cnpj"] for e in establishments}), establishments[119]["nome_fantasia"])
print(sum(1 for _ in razao.empresa_estabelecimentos_paginas(chain, limite=50)))

hits = list(razao.buscar_itens(q="estrela do sul", uf=["SP", "RJ"], agrupar="nao", limite=2))
print(len(hits), hits[0]["cnpj"])
print(len(list(razao.empresa_fonte_itens(bakery, "pgfn", limite=1))))
print(sum(1 for _ in razao.listar_mudancas_paginas(uf=["SP"])))

for item in razao.lote({"cnpjs": [bakery, "00000001"], "campos": ["razao_social"]})["dados"]["itens"]:
    print(item["cnpj"], "erro" if "erro" in item else "dados")

answer = razao.reconciliar({"queries": {"a": {"query": "PADARIA ESTRELLA DO SUL", "properties": [{"pid": "uf", "v": "SP"}]}}})
print(answer["a"]["result"][0]["id"], answer["a"]["result"][0]["match"])

print(len(razao.caminho(de=bakery, para="98765432")["dados"]["caminhos"]))
try:
    razao.empresa_full("00000001")
except RazaoError as error:
    print(error.status, error.code, bool(error.request_id))
