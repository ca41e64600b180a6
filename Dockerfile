# A static program in an empty image: no root, no shell, nothing writable but /data. docs/install.md says how to run it:
# `serve` needs RAZAO_BASE_URL, since it listens on every address.
FROM docker.io/library/golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make build && mkdir /data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/bin/razao /razao
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV RAZAO_ADDR=0.0.0.0:8080 RAZAO_PRIVATE_ADDR=0.0.0.0:9090 RAZAO_DATA=/data
EXPOSE 8080 9090
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s CMD ["/razao", "health", "--live"]
ENTRYPOINT ["/razao"]
CMD ["serve"]
