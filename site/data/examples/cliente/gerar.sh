# TypeScript: os tipos, que o openapi-fetch usa
npx openapi-typescript "$RAZAO_URL/v2/openapi.json" -o razao.d.ts
# TypeScript: uma função para cada operação
npx @hey-api/openapi-ts -i "$RAZAO_URL/v2/openapi.json" -o razao
# Go
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest \
  -package razao -generate types,client -o razao/api.go "$RAZAO_URL/v2/openapi.json"
# Python
openapi-python-client generate --url "$RAZAO_URL/v2/openapi.json"
