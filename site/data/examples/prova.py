import base64, hashlib, json, struct, sys

def sha256(*partes): return hashlib.sha256(b"".join(partes)).digest()
def raw(texto): return base64.b64decode(texto, validate=True)
def objeto(pares): return dict(pares) if len(dict(pares)) == len(pares) else sys.exit("um nome está duas vezes no mesmo objeto")

dados = json.load(open(sys.argv[1], encoding="utf-8"), object_pairs_hook=objeto)["dados"]
if not dados["linhas"]:
    sys.exit("sem linhas: só um hash está na árvore, e nada prova de que empresa é")
origem, tamanho, raiz = dados["checkpoint"].split("\n")[:3]
folha = dados["cnpj_basico"].encode() + raw(dados["nonce"])
for linha in dados["linhas"]:
    doc = raw(linha["doc"])
    folha += struct.pack(">iI", linha["seq"], len(doc)) + doc
resto = sha256(b"\0", folha)  # RFC 6962: 0 antes de folhas, 1 antes de nós
n, ultima = dados["indice"], int(tamanho) - 1
certo = 0 <= n <= ultima and (dados["folha"], dados["tamanho"]) == (base64.b64encode(resto).decode(), int(tamanho))
for vizinho in map(raw, dados["caminho"]):
    if n % 2 == 1 or n == ultima:
        resto = sha256(b"\1", vizinho, resto)
        while n % 2 == 0 and n > 0:
            n, ultima = n // 2, ultima // 2
    else:
        resto = sha256(b"\1", resto, vizinho)
    n, ultima = n // 2, ultima // 2
if not certo or ultima != 0 or resto != raw(raiz) or not origem.endswith(f"/fontes/receita/cargas/{dados['carga']}"):
    sys.exit("a empresa NÃO está na árvore do checkpoint")
print(dados["cnpj_basico"], "está em", origem, "com", tamanho, "folhas; falta conferir a assinatura")
